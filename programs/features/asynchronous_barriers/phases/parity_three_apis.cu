// How does a thread wait without a token? It waits for a parity, which it flips after
// each phase. With all three APIs; each round passes the numbers of a block one place
// to the left.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int block_size = 128;
constexpr int rounds = 7;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// Passes numbers to the left; with cuda::barrier.
/// @param data  one int for each thread in device memory, changed in place
__global__ void pass_by_class(int* data) {
    __shared__ block_barrier barrier;
    __shared__ int words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, block_size);
    __syncthreads();
    int mine = data[blockIdx.x * block_size + t];
    unsigned parity = 0;  // of the first phase
    for (int round = 0; round < rounds; ++round) {
        // [class]
        words[round % 2][t] = mine;
        static_cast<void>(barrier.arrive());  // the token is not needed
        barrier.wait_parity(parity);
        // [/class]
        parity ^= 1;
        mine = words[round % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
}

// [ptx]
/// Each thread passes its number to the left in every round; with cuda::ptx alone.
/// @param data  one int for each thread in device memory, changed in place
__global__ void pass_by_ptx(int* data) {
    __shared__ std::uint64_t barrier;
    __shared__ int words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, block_size);
    __syncthreads();
    int mine = data[blockIdx.x * block_size + t];
    unsigned parity = 0;
    for (int round = 0; round < rounds; ++round) {
        words[round % 2][t] = mine;
        static_cast<void>(cuda::ptx::mbarrier_arrive(&barrier));
        while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, parity)) {
        }
        parity ^= 1;
        mine = words[round % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
}
// [/ptx]

/// The same with primitives, where the parity is a bool.
/// @param data  one int for each thread in device memory, changed in place
__global__ void pass_by_primitives(int* data) {
    __shared__ __mbarrier_t barrier;
    __shared__ int words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, block_size);
    __syncthreads();
    int mine = data[blockIdx.x * block_size + t];
    bool parity = false;
    for (int round = 0; round < rounds; ++round) {
        // [primitives]
        words[round % 2][t] = mine;
        static_cast<void>(__mbarrier_arrive(&barrier));
        while (!__mbarrier_try_wait_parity(&barrier, parity, 1000)) {
        }
        // [/primitives]
        parity = !parity;
        mine = words[round % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
}

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 32;
    std::vector<int> data(blocks * block_size), expected(data.size());
    for (int i = 0; i < blocks * block_size; ++i) {
        data[i] = 5 * i;
        expected[i] = 5 * (i / block_size * block_size + (i + rounds) % block_size);
    }
    std::size_t all_wrong = 0;
    const auto run = [&](auto kernel, const char* name) {
        lockstep::device_buffer<int> d_data(data);
        kernel<<<blocks, block_size>>>(d_data.data());
        lockstep::check(cudaGetLastError());
        const std::size_t wrong =
            lockstep::count_mismatches(d_data.to_host(), expected);
        lockstep::report(name, wrong);
        all_wrong += wrong;
    };
    run(pass_by_class, "cuda::barrier, wrong");
    run(pass_by_ptx, "cuda::ptx, wrong");
    run(pass_by_primitives, "primitives, wrong");
    return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
