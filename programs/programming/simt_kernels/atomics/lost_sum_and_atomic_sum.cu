// May many threads add to one number? Not with +=, which reads, adds and writes in
// three steps: that is a data race, additions get lost, and how many may differ from
// run to run. An atomic addition is one indivisible step, so the sum of whole numbers
// is exact.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [plain]
/// Adds all elements to one number, with a data race.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void sum_plain(int n, const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *sum += x[i];
}
// [/plain]

// [atomic]
/// Adds all elements to one number, atomically.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void sum_atomic(int n, const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> total(*sum);
    if (i < n) total.fetch_add(x[i], cuda::memory_order_relaxed);
}
// [/atomic]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 2, 10'000'000);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + i % 3;
    const int expected = std::accumulate(x.begin(), x.end(), 0);
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sum(1);

    // [launch]
    constexpr int block_size = 256;
    const int grid_size = (n + block_size - 1) / block_size;
    d_sum.fill_bytes(0);
    sum_plain<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    const int plain = d_sum.to_host()[0];

    d_sum.fill_bytes(0);
    sum_atomic<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    const int atomic = d_sum.to_host()[0];
    // [/launch]

    lockstep::report("sum on the CPU", expected);
    lockstep::report("sum with +=", lockstep::counted{plain});
    lockstep::report("lost", lockstep::measured{100.0 * (expected - plain) / expected},
                     "%");
    lockstep::report("atomic sum", atomic);
    return atomic == expected && plain < expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
