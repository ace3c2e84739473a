// Bug report: "The histogram differs from run to run." The counters are in shared
// memory. Find what is read before it was written, and fix it.

#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int bins = 300;
constexpr int block_size = 128;

/// Fills shared memory with numbers, as other kernels do.
__global__ void fill_shared_memory() {
    extern __shared__ int everything[];
    for (int i = threadIdx.x; i < 10'000; i += blockDim.x)
        everything[i] = 1'000'000 + i;
    __syncthreads();
    // so that the numbers are really stored
    if (everything[threadIdx.x] == 0) __trap();
}

/// Counts how often each value occurs.
/// @param n       number of elements
/// @param x       n ints in device memory, each below bins
/// @param counts  bins ints in device memory, increased
__global__ void count(int n, const int* x, int* counts) {
    __shared__ int mine[bins];
    // [task]
    for (int bin = threadIdx.x; bin < bins; bin += block_size) mine[bin] = 0;
    __syncthreads();
    //= given
    //| if (threadIdx.x < bins) mine[threadIdx.x] = 0;
    //| __syncthreads();
    //= mutant no_barrier
    //| for (int bin = threadIdx.x; bin < bins; bin += block_size) mine[bin] = 0;
    //= mutant nothing_set
    //| __syncthreads();
    // [/task]
    for (int i = blockIdx.x * block_size + threadIdx.x; i < n;
         i += gridDim.x * block_size)
        atomicAdd(mine + x[i], 1);
    __syncthreads();
    for (int bin = threadIdx.x; bin < bins; bin += block_size)
        atomicAdd(counts + bin, mine[bin]);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    std::vector<int> expected(bins);
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<int>(i * 2654435761u >> 8) % bins;
        ++expected[x[i]];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_counts(bins);
    lockstep::exercise_verdict verdict;
    for (int run = 0; run < 3; ++run) {
        d_counts.fill_bytes(0);
        fill_shared_memory<<<1000, 256, 40'000>>>();
        count<<<200, block_size>>>(n, d_x.data(), d_counts.data());
        lockstep::check(cudaGetLastError());
        const std::string label = "counts of run " + std::to_string(run + 1);
        verdict.equal(label.c_str(), d_counts.to_host(), expected,
                      lockstep::numbered("the count of bin"));
    }
    return verdict.finish();
}
