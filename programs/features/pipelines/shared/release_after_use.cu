// One warp copies tiles, another warp adds up their words, through a partitioned
// pipeline of two stages. The sums are wrong, since the consumers use a stage outside
// the time in which it is theirs. Put their four steps in the right order.

#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int stages = 2;
constexpr int tiles = 8;
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

/// Does nothing for some time, so that what is done too early or too late shows.
__device__ void hesitate() {
    for (const long long begin = clock64(); clock64() - begin < 20'000;) continue;
}

/// The sum of a tile's words.
/// @param words  32 words in shared memory
__device__ int sum_of(const int* words) {
    int sum = 0;
    for (int k = 0; k < 32; ++k) sum += words[k];
    return sum;
}

/// Adds up the words of each tile.
/// @param in    tiles * 32 ints in device memory
/// @param sums  tiles * 32 ints in device memory, written: a sum for each lane
__global__ void add_up(const int* in, int* sums) {
    __shared__ int words[stages][32];
    __shared__ shared_state state;
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        for (int s = 0; s < stages; ++s) words[s][lane] = -1;
    constexpr cuda::std::size_t producer_count = 32;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                    producer_count);
    if (threadIdx.x < producer_count) {
        hesitate();  // the first tile comes late
        for (int i = 0; i < tiles; ++i) {
            pipe.producer_acquire();
            cuda::memcpy_async(&words[i % stages][lane], &in[i * 32 + lane],
                               sizeof(int), pipe);
            pipe.producer_commit();
        }
    } else {
        for (int i = 0; i < tiles; ++i) {
            int sum = 0;
            // [task]
            pipe.consumer_wait();
            hesitate();
            sum = sum_of(words[i % stages]);
            pipe.consumer_release();
            //= given
            //| pipe.consumer_wait();
            //| pipe.consumer_release();
            //| hesitate();
            //| sum = sum_of(words[i % stages]);
            //= mutant reads_before_the_wait
            //| sum = sum_of(words[i % stages]);
            //| pipe.consumer_wait();
            //| hesitate();
            //| pipe.consumer_release();
            //= mutant other_buffer
            //| pipe.consumer_wait();
            //| hesitate();
            //| sum = sum_of(words[(i + 1) % stages]);
            //| pipe.consumer_release();
            // [/task]
            sums[i * 32 + lane] = sum;
        }
    }
}

int main() {
    lockstep::require_device(80);

    std::vector<int> in(tiles * 32), expected(tiles * 32);
    for (int i = 0; i < tiles * 32; ++i) in[i] = i * i % 1009;
    for (int i = 0; i < tiles * 32; ++i)
        for (int k = 0; k < 32; ++k) expected[i] += in[i / 32 * 32 + k];
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_sums(tiles * 32);
    d_sums.fill_bytes(0xFF);
    add_up<<<1, 64>>>(d_in.data(), d_sums.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("sums of the tiles", d_sums.to_host(), expected,
                  lockstep::in_groups(32, "tile", "lane"));
    return verdict.finish();
}
