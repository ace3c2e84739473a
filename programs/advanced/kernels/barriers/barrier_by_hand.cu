// The hardware barrier without cuda::barrier: with the functions of cuda::ptx, one for
// each instruction, and with the primitives for C. Both work on an mbarrier object, a
// 64-bit word in shared memory.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [ptx]
/// Each thread takes its right neighbor's number, with instructions.
/// @param data  one int for each thread in device memory, changed in place
__global__ void exchange_by_ptx(int* data) {
    __shared__ std::uint64_t barrier;
    __shared__ int words[block_size];
    const int t = threadIdx.x;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, block_size);
    __syncthreads();
    words[t] = data[blockIdx.x * block_size + t];
    const std::uint64_t token = cuda::ptx::mbarrier_arrive(&barrier);
    while (!cuda::ptx::mbarrier_try_wait(&barrier, token)) {
    }
    data[blockIdx.x * block_size + t] = words[(t + 1) % block_size];
}
// [/ptx]

// [primitives]
/// The same with primitives.
/// @param data  one int for each thread in device memory, changed in place
__global__ void exchange_by_primitives(int* data) {
    __shared__ __mbarrier_t barrier;
    __shared__ int words[block_size];
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, block_size);
    __syncthreads();
    words[t] = data[blockIdx.x * block_size + t];
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 1000)) {
    }
    data[blockIdx.x * block_size + t] = words[(t + 1) % block_size];
}
// [/primitives]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 100;
    std::vector<int> data(blocks * block_size);
    std::vector<int> expected(blocks * block_size);
    for (int i = 0; i < blocks * block_size; ++i) {
        data[i] = i;
        expected[i] = i / block_size * block_size + (i + 2) % block_size;
    }
    lockstep::device_buffer<int> d_data(data);
    exchange_by_ptx<<<blocks, block_size>>>(d_data.data());
    exchange_by_primitives<<<blocks, block_size>>>(d_data.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_data.to_host(), expected);
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
