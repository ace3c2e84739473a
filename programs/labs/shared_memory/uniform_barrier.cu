// This kernel computes correct results in tests, but its barrier stands in a branch
// that not all threads of the block take, and then the behavior is undefined.
// Restructure it so that all threads reach every barrier. The result must stay the
// same.

#include <cstddef>
#include <cstdio>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;

/// Each element becomes the difference to its right neighbor in the block; the last
/// active one becomes 0.
/// @param n     elements of each block, at most block_size
/// @param data  blocks of block_size ints in device memory, changed in place
__global__ void differences(int n, int* data) {
    __shared__ int words[block_size + 1];
    int* mine = data + blockIdx.x * block_size;
    // [task]
    if (threadIdx.x < n) words[threadIdx.x] = mine[threadIdx.x];
    if (threadIdx.x == 0) words[n] = mine[n - 1];
    __syncthreads();
    if (threadIdx.x < n)
        mine[threadIdx.x] = words[threadIdx.x + 1] - words[threadIdx.x];
    //= given
    //| if (threadIdx.x < n) {
    //|     words[threadIdx.x] = mine[threadIdx.x];
    //|     if (threadIdx.x == 0) words[n] = mine[n - 1];
    //|     __syncthreads();
    //|     mine[threadIdx.x] = words[threadIdx.x + 1] - words[threadIdx.x];
    //| } else {
    //|     words[block_size] = 0;
    //|     __syncthreads();
    //| }
    //= mutant no_barrier
    //| if (threadIdx.x < n) words[threadIdx.x] = mine[threadIdx.x];
    //| if (threadIdx.x == 0) words[n] = mine[n - 1];
    //| if (threadIdx.x < n)
    //|     mine[threadIdx.x] = words[threadIdx.x + 1] - words[threadIdx.x];
    //= mutant thread_n_stores
    //| if (threadIdx.x <= n) words[threadIdx.x] = mine[min(int(threadIdx.x), n - 1)];
    //| __syncthreads();
    //| if (threadIdx.x < n)
    //|     mine[threadIdx.x] = words[threadIdx.x + 1] - words[threadIdx.x];
    //= mutant last_one_forgotten
    //| if (threadIdx.x < n) words[threadIdx.x] = mine[threadIdx.x];
    //| __syncthreads();
    //| if (threadIdx.x + 1 < n)
    //|     mine[threadIdx.x] = words[threadIdx.x + 1] - words[threadIdx.x];
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 100, 1, 10'000);
    options.finish();
    lockstep::require_device();

    lockstep::exercise_verdict verdict;
    for (const int n : {100, block_size, 1}) {
        std::vector<int> data(blocks * block_size);
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<int>(i * i % 997) + 1;
        std::vector<int> expected = data;
        for (int block = 0; block < blocks; ++block)
            for (int i = 0; i < n; ++i) {
                const int at = block * block_size + i;
                expected[at] = i + 1 < n ? data[at + 1] - data[at] : 0;
            }
        lockstep::device_buffer<int> d_data(data);
        differences<<<blocks, block_size>>>(n, d_data.data());
        lockstep::check(cudaGetLastError());
        char label[40];
        std::snprintf(label, sizeof label, "differences, n = %d", n);
        verdict.equal(label, d_data.to_host(), expected,
                      lockstep::in_groups(block_size, "block", "thread"));
    }
    return verdict.finish();
}
