// L1 cache and shared memory divide one storage. Can a program choose the split? It may
// state a preference for a kernel. The result never depends on it, and what the kernel
// needs wins.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [kernel]
/// Reverses each block's slice through 16 KiB of shared memory.
/// @param data  16 ints for each thread in device memory, reversed in place within each
///              block
__global__ void reverse_slices(int* data) {
    __shared__ int tile[16 * block_size];
    int* slice = data + blockIdx.x * 16 * block_size;
    for (int i = threadIdx.x; i < 16 * block_size; i += block_size) tile[i] = slice[i];
    __syncthreads();
    for (int i = threadIdx.x; i < 16 * block_size; i += block_size)
        slice[i] = tile[16 * block_size - 1 - i];
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int blocks = 64;
    constexpr int n = blocks * 16 * block_size;
    std::vector<int> data(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        data[i] = i;
        const int slice = 16 * block_size;
        expected[i] = i / slice * slice + slice - 1 - i % slice;
    }
    struct preference {
        const char* name;
        cudaFuncCache value;
    };
    bool right = true;
    int resident = -1;
    std::printf("preference       blocks on an SM   wrong elements\n");
    for (const preference p :
         {preference{"none", cudaFuncCachePreferNone},
          preference{"L1", cudaFuncCachePreferL1},
          preference{"shared memory", cudaFuncCachePreferShared}}) {
        // [prefer]
        lockstep::check(cudaFuncSetCacheConfig(reverse_slices, p.value));
        int blocks_on_sm = 0;
        lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks_on_sm, reverse_slices, block_size, 0));
        // [/prefer]
        lockstep::device_buffer<int> d_data(data);
        reverse_slices<<<blocks, block_size>>>(d_data.data());
        lockstep::check(cudaGetLastError());
        const std::size_t wrong =
            lockstep::count_mismatches(d_data.to_host(), expected);
        std::printf("%-16s%16d%17zu\n", p.name, blocks_on_sm, wrong);
        right = right && wrong == 0 && blocks_on_sm > 0;
        if (resident < 0) resident = blocks_on_sm;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
