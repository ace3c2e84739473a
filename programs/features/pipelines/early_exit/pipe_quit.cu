// What happens to the others when a thread leaves a pipeline early? With quit() in a
// pipeline of the block, the stages still expect its arrivals, so no later stage is
// complete. Three ways work: to stay and arrive, or a pipeline of each warp or thread.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda/std/chrono>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

namespace cg = cooperative_groups;

constexpr int block_size = 64;  // two warps: the second one leaves after one round
constexpr int rounds = 4;
constexpr int stages = 2;
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

/// What a thread reports.
struct outcome {
    int sum;         ///< of the words that it copied
    int rounds;      ///< that it went through
    bool timed_out;  ///< a wait came to its limit
    bool last;       ///< quit() returned true
};

// [round]
/// One round: copies a word and adds it to the sum, unless it does not arrive in time.
/// @param pipe    the pipeline
/// @param word    room for the word in shared memory
/// @param from    the word in device memory; null to copy nothing
/// @param mine    what the thread reports
/// @return whether the stage was complete within 20 ms
template <class Pipeline>
__device__ bool go_round(Pipeline& pipe, int* word, const int* from, outcome& mine) {
    pipe.producer_acquire();
    if (from) cuda::memcpy_async(word, from, sizeof(int), pipe);
    pipe.producer_commit();
    if (!pipe.consumer_wait_for(cuda::std::chrono::milliseconds(20))) {
        mine.timed_out = true;
        return false;
    }
    if (from) mine.sum += *word;
    if (from) ++mine.rounds;
    pipe.consumer_release();
    return true;
}
// [/round]

// [block]
/// A pipeline of the block. The second warp quits, or stays and only arrives.
/// @tparam stays  whether the second warp stays
/// @param in      rounds * block_size ints in device memory
/// @param out     block_size outcomes in device memory, written
template <bool stays>
__global__ void one_for_the_block(const int* in, outcome* out) {
    __shared__ int words[stages][block_size];
    __shared__ shared_state state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    const int i = threadIdx.x;
    outcome mine{};
    for (int round = 0; round < rounds; ++round) {
        const bool done = i >= 32 && round >= 1;  // this thread needs no more words
        if (done && !stays) break;
        const int* const from = done ? nullptr : &in[round * block_size + i];
        if (!go_round(pipe, &words[round % stages][i], from, mine)) break;
    }
    mine.last = pipe.quit();
    out[i] = mine;
}
// [/block]

// [warp]
/// A pipeline of each warp: no warp waits for another.
/// @param in   rounds * block_size ints in device memory
/// @param out  block_size outcomes in device memory, written
__global__ void one_for_each_warp(const int* in, outcome* out) {
    __shared__ int words[stages][block_size];
    __shared__ shared_state states[block_size / 32];
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto pipe = cuda::make_pipeline(warp, &states[warp.meta_group_rank()]);
    const int i = threadIdx.x;
    outcome mine{};
    for (int round = 0; round < (i < 32 ? rounds : 1); ++round)
        go_round(pipe, &words[round % stages][i], &in[round * block_size + i], mine);
    mine.last = pipe.quit();
    out[i] = mine;
}
// [/warp]

// [thread]
/// A pipeline of each thread: it ends with the thread.
/// @param in   rounds * block_size ints in device memory
/// @param out  block_size outcomes in device memory, written
__global__ void one_for_each_thread(const int* in, outcome* out) {
    __shared__ int words[stages][block_size];
    auto pipe = cuda::make_pipeline();
    const int i = threadIdx.x;
    outcome mine{};
    for (int round = 0; round < (i < 32 ? rounds : 1); ++round)
        go_round(pipe, &words[round % stages][i], &in[round * block_size + i], mine);
    mine.last = pipe.quit();
    out[i] = mine;
}
// [/thread]

int main() {
    lockstep::require_device(80);

    std::vector<int> in(rounds * block_size);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 1009);
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<outcome> d_out(block_size);
    bool right = true;
    const auto run = [&](auto kernel, bool all_rounds) {
        d_out.fill_bytes(0);
        kernel<<<1, block_size>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        const std::vector<outcome> out = d_out.to_host();
        int last = 0, timed_out = 0;
        for (int i = 0; i < block_size; ++i) {
            last += out[i].last;
            timed_out += out[i].timed_out;
            int sum = 0;
            for (int round = 0; round < out[i].rounds; ++round)
                sum += in[round * block_size + i];
            right = right && out[i].sum == sum;
            right = right && out[i].rounds == (i < 32 && all_rounds ? rounds : 1);
        }
        lockstep::report("  rounds of the first warp", out[0].rounds);
        lockstep::report("  threads that timed out", timed_out);
        lockstep::report("  quit() returned true", last, "times");
    };
    std::printf("the second warp quits\n");
    run(one_for_the_block<false>, false);
    std::printf("the second warp stays\n");
    run(one_for_the_block<true>, true);
    std::printf("a pipeline of each warp\n");
    run(one_for_each_warp, true);
    std::printf("a pipeline of each thread\n");
    run(one_for_each_thread, true);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
