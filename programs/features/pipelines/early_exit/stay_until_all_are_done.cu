// Each warp of a block adds up a list of its own, with a pipeline of the whole block.
// The lists differ in length, and a warp that has finished its list leaves. Then no
// further stage is complete, and the waits of the others reach their limit. Let all
// warps stay as long as one of them needs the pipeline.

#include <cstddef>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda/std/chrono>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int warps = 4;
constexpr int block_size = 32 * warps;
constexpr int longest = 12;  // rounds of the longest list
constexpr int stages = 2;
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

/// Adds up, for each lane, the words of the warp's list.
/// @param lengths  rounds of each warp's list, in device memory
/// @param in       longest * block_size ints in device memory
/// @param sums     block_size ints in device memory, written
/// @param late     one int in device memory, 0; counts the waits that reached the limit
__global__ void add_up(const int* lengths, const int* in, int* sums, int* late) {
    __shared__ int words[stages][block_size];
    __shared__ shared_state state;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
    const int i = threadIdx.x;
    const int length = lengths[i / 32];
    int sum = 0;
    // [task]
    for (int round = 0; round < longest; ++round) {
        int* const word = &words[round % stages][i];
        pipe.producer_acquire();
        if (round < length)
            cuda::memcpy_async(word, &in[round * block_size + i], sizeof(int), pipe);
        pipe.producer_commit();
        if (!pipe.consumer_wait_for(cuda::std::chrono::milliseconds(20))) {
            atomicAdd(late, 1);
            break;
        }
        if (round < length) sum += *word;
        pipe.consumer_release();
    }
    //= given
    //| for (int round = 0; round < length; ++round) {
    //|     int* const word = &words[round % stages][i];
    //|     pipe.producer_acquire();
    //|     cuda::memcpy_async(word, &in[round * block_size + i], sizeof(int), pipe);
    //|     pipe.producer_commit();
    //|     if (!pipe.consumer_wait_for(cuda::std::chrono::milliseconds(20))) {
    //|         atomicAdd(late, 1);
    //|         break;
    //|     }
    //|     sum += *word;
    //|     pipe.consumer_release();
    //| }
    //= mutant adds_old_words
    //| for (int round = 0; round < longest; ++round) {
    //|     int* const word = &words[round % stages][i];
    //|     pipe.producer_acquire();
    //|     if (round < length)
    //|         cuda::memcpy_async(word, &in[round * block_size + i], 4, pipe);
    //|     pipe.producer_commit();
    //|     pipe.consumer_wait();
    //|     sum += *word;
    //|     pipe.consumer_release();
    //| }
    //= mutant shortest_list
    //| for (int round = 0; round < 3; ++round) {
    //|     int* const word = &words[round % stages][i];
    //|     pipe.producer_acquire();
    //|     if (round < length)
    //|         cuda::memcpy_async(word, &in[round * block_size + i], 4, pipe);
    //|     pipe.producer_commit();
    //|     pipe.consumer_wait();
    //|     if (round < length) sum += *word;
    //|     pipe.consumer_release();
    //| }
    // [/task]
    sums[i] = sum;
}

int main() {
    lockstep::require_device(80);

    const std::vector<int> lengths = {longest, 3, 7, 5};
    std::vector<int> in(longest * block_size), expected(block_size);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 1009 + 1);
    for (int i = 0; i < block_size; ++i)
        for (int round = 0; round < lengths[i / 32]; ++round)
            expected[i] += in[round * block_size + i];
    const lockstep::device_buffer<int> d_lengths(lengths), d_in(in);
    lockstep::device_buffer<int> d_sums(block_size), d_late(1);
    d_sums.fill_bytes(0xFF);
    d_late.fill_bytes(0);
    add_up<<<1, block_size>>>(d_lengths.data(), d_in.data(), d_sums.data(),
                              d_late.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("no wait reached its limit", d_late.to_host()[0] == 0,
                  "a stage is complete only when all threads have committed");
    verdict.equal("sums of the lists", d_sums.to_host(), expected,
                  lockstep::in_groups(32, "warp", "lane"));
    return verdict.finish();
}
