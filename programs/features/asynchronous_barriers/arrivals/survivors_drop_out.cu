// How does a thread leave a loop in which the others go on synchronizing? It arrives
// one last time with arrive_and_drop, which also lowers the count of all later phases.
// With cuda::barrier and with primitives.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int block_size = 128;
constexpr int rounds = 5;
constexpr int stays = 4;  // a thread that works for all five rounds

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// Rounds that thread t works for: 1 to 5.
__host__ __device__ constexpr int rounds_of(int t) { return 1 + t % rounds; }

// [class]
/// In each round the threads that are left count themselves.
/// @param counts  rounds * block_size ints in device memory; each thread that is left
///                writes the count that it saw
__global__ void count_by_class(int* counts) {
    __shared__ block_barrier barrier;
    __shared__ int left[rounds];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, block_size);
    if (t < rounds) left[t] = 0;
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        if (round == rounds_of(t)) {
            barrier.arrive_and_drop();  // this phase and all later ones
            return;
        }
        atomicAdd(&left[round], 1);
        barrier.arrive_and_wait();
        counts[round * block_size + t] = left[round];
    }
}
// [/class]

// [primitives]
/// The same with primitives.
/// @param counts  rounds * block_size ints in device memory; each thread that is left
///                writes the count that it saw
__global__ void count_by_primitives(int* counts) {
    __shared__ __mbarrier_t barrier;
    __shared__ int left[rounds];
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, block_size);
    if (t < rounds) left[t] = 0;
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        if (round == rounds_of(t)) {
            static_cast<void>(__mbarrier_arrive_and_drop(&barrier));
            return;
        }
        atomicAdd(&left[round], 1);
        const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
        while (!__mbarrier_try_wait(&barrier, token, 1000)) {
        }
        counts[round * block_size + t] = left[round];
    }
}
// [/primitives]

int main() {
    lockstep::require_device(90);

    std::vector<int> in_round(rounds);
    for (int t = 0; t < block_size; ++t)
        for (int round = 0; round < rounds_of(t); ++round) ++in_round[round];
    lockstep::device_buffer<int> d_counts(rounds * block_size);
    int wrong = 0;
    for (auto kernel : {count_by_class, count_by_primitives}) {
        d_counts.fill_bytes(0xFF);
        kernel<<<1, block_size>>>(d_counts.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> counts = d_counts.to_host();
        for (int i = 0; i < rounds * block_size; ++i) {
            const int round = i / block_size;
            const bool still_there = round < rounds_of(i % block_size);
            wrong += counts[i] != (still_there ? in_round[round] : -1);
        }
        const bool first = kernel == count_by_class;
        for (int round = 0; round < rounds && first; ++round) {
            char label[24];
            std::snprintf(label, sizeof label, "threads in round %d", round);
            lockstep::report(label, counts[round * block_size + stays]);
        }
    }
    lockstep::report("wrong counts", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
