// What does it gain if only those threads synchronize that exchange something? In every
// step another warp of eight is late, and each warp swaps numbers with its partner.
// With __syncthreads all warps wait for the late one; with a barrier for each pair,
// only its partner does.

#include <cstdlib>
#include <vector>

#include <cuda/barrier>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int block_size = 256;
constexpr int warps = block_size / 32;
constexpr int pair_size = 64;
constexpr int pairs = block_size / pair_size;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// A chain of multiply-adds, each of which needs the one before it. The loop is not
/// unrolled, since the compiler would combine several of them.
__device__ unsigned chain(unsigned x, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) x = x * 1664525 + 1013904223;
    return x;
}

// [kernel]
/// Swaps numbers within each pair of warps and adds 1, again and again.
/// @tparam in_pairs  whether each pair has a barrier, or the block synchronizes
/// @param steps      number of steps
/// @param late       multiply-adds that the late warp of a step computes first
/// @param data       one unsigned for each thread in device memory, changed in place
/// @param chains     as many in device memory, written: the chains' results
template <bool in_pairs>
__global__ void swap_numbers(int steps, int late, unsigned* data, unsigned* chains) {
    __shared__ block_barrier barriers[pairs];
    __shared__ unsigned words[2][block_size];
    const int t = threadIdx.x;
    if (t < pairs) init(&barriers[t], pair_size);
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < steps; ++step) {
        if (t / 32 == step % warps) x = chain(x, late);
        words[step % 2][t] = mine;
        if (in_pairs)
            barriers[t / pair_size].arrive_and_wait();
        else
            __syncthreads();
        mine = words[step % 2][t ^ 32] + 1;
    }
    data[blockIdx.x * block_size + t] = mine;
    chains[blockIdx.x * block_size + t] = x;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 100'000);
    const int late = options.integer("late", 200, 0, 10'000);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    options.finish();
    lockstep::require_device();

    std::vector<unsigned> data(std::size_t(blocks) * block_size), expected(data.size());
    for (unsigned i = 0; i < data.size(); ++i) {
        data[i] = 3 * i;
        expected[i] = 3 * (steps % 2 == 0 ? i : i ^ 32) + static_cast<unsigned>(steps);
    }
    lockstep::device_buffer<unsigned> d_data(data.size()), d_chains(data.size());
    const auto launch = [&](std::size_t kernel) {
        if (kernel == 0)
            swap_numbers<false>
                <<<blocks, block_size>>>(steps, late, d_data.data(), d_chains.data());
        else
            swap_numbers<true>
                <<<blocks, block_size>>>(steps, late, d_data.data(), d_chains.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const std::size_t kernel : {0, 1}) {
        lockstep::check(cudaMemcpy(d_data.data(), data.data(), d_data.bytes(),
                                   cudaMemcpyHostToDevice));
        launch(kernel);
        wrong += lockstep::count_mismatches(d_data.to_host(), expected);
    }
    const auto times = lockstep::time_in_turns(2, launch);
    const auto ns = [&](int kernel) {
        return lockstep::measured{1e6 * times[kernel].median_ms / steps};
    };
    lockstep::report("wrong numbers", wrong);
    lockstep::report("__syncthreads, a step", ns(0), "ns");
    lockstep::report("barriers of pairs, a step", ns(1), "ns");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
