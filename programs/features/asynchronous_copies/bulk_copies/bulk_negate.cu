// Each block negates a tile of 2048 words in place, through shared memory. The wait
// for the tile and the loop are there. Start the bulk copy to shared memory, and tell
// the barrier what to expect. After the loop, store the tile by a bulk copy: TMA must
// see what the threads stored, and the block may not end before TMA has read it.

#include <cstdint>
#include <vector>

#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int tile = 2048;  // words

/// Negates all words.
/// @param x         tile ints for each block in device memory, 16-byte aligned, changed
/// @param complete  one word in device memory, set to 0 if a wait is given up
__global__ void negate(int* x, int* complete) {
    __shared__ alignas(128) int words[tile];
    __shared__ std::uint64_t arrived;
    [[maybe_unused]] constexpr std::uint32_t bytes = sizeof words;
    x += blockIdx.x * tile;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    // [task]
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
                           &arrived);
    }
    //= given
    //| if (threadIdx.x == 0) {
    //|     // Announce the bytes to the barrier `arrived`, and start the copy.
    //| }
    //= mutant announces_too_much
    //| if (threadIdx.x == 0) {
    //|     ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    //|                                    ptx::space_shared, &arrived, 2 * bytes);
    //|     ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
    //|                        &arrived);
    //| }
    //= mutant counts_words
    //| if (threadIdx.x == 0) {
    //|     ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
    //|                                    ptx::space_shared, &arrived, tile);
    //|     ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, tile,
    //|                        &arrived);
    //| }
    // [/task]
    const unsigned long long begin = lockstep::now_ns();
    bool there = false;
    while (!there && lockstep::now_ns() - begin < 100'000'000)
        there = ptx::mbarrier_try_wait_parity(&arrived, 0);
    if (!there) atomicExch(complete, 0);
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] = -words[i];
    // [task-store]
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x, words, bytes);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    //= given
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     // Store the tile.
    //| }
    //= mutant no_fence
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x, words, bytes);
    //|     ptx::cp_async_bulk_commit_group();
    //|     ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    //| }
    //= mutant stores_words_not_bytes
    //| ptx::fence_proxy_async(ptx::space_shared);
    //| __syncthreads();
    //| if (threadIdx.x == 0) {
    //|     ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x, words, tile);
    //|     ptx::cp_async_bulk_commit_group();
    //|     ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    //| }
    // [/task-store]
}

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 40;
    std::vector<int> x(blocks * tile), expected(blocks * tile);
    for (int i = 0; i < blocks * tile; ++i) {
        x[i] = i * 3 + 1;
        expected[i] = -x[i];
    }
    lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_complete(std::vector<int>{1});
    negate<<<blocks, block_size>>>(d_x.data(), d_complete.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict;
    verdict.holds("the phase completes", d_complete.to_host()[0] == 1,
                  "the barrier waits for an arrival, or for more bytes than come");
    verdict.equal("words", d_x.to_host(), expected,
                  lockstep::in_groups(tile, "tile", "word"));
    return verdict.finish();
}
