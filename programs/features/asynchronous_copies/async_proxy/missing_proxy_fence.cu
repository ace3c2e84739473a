// A proxy fence orders ordinary stores before what TMA reads. What happens without it?
// Three places need one: a tile that a block stores to shared memory, a few words that
// one thread stores there, and words that a thread stores to global memory. The program
// counts old words in each, with the fence and without.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int tile = 4096;  // words
constexpr int rounds = 32;
enum place { nowhere, each_thread, thread_0 };

/// The word that a block stores in a round.
__host__ __device__ unsigned word_of(int block, int round, int i) {
    return static_cast<unsigned>((block * rounds + round) * tile + i);
}

// [tile]
/// Each round, a block stores a tile to shared memory and TMA copies it on.
/// @tparam fence  where the fence is: in each thread that stores, in thread 0 after the
///                barrier, or nowhere
/// @param y       rounds * tile words for each block in device memory, written
template <place fence>
__global__ void store_tiles(unsigned* y) {
    __shared__ alignas(128) unsigned words[tile];
    constexpr std::uint32_t bytes = sizeof words;
    y += std::size_t(blockIdx.x) * rounds * tile;
    for (int round = 0; round < rounds; ++round) {
        for (int i = threadIdx.x; i < tile; i += block_size)
            words[i] = word_of(blockIdx.x, round, i);
        if (fence == each_thread) ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            if (fence == thread_0) ptx::fence_proxy_async(ptx::space_shared);
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + round * tile,
                               words, bytes);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}
// [/tile]

// [one-thread]
/// Each round, one thread stores four words to shared memory and lets TMA copy them.
/// @tparam fence  whether it executes the fence
/// @param y       rounds * 4 words for each block in device memory, written
template <bool fence>
__global__ void store_words(unsigned* y) {
    __shared__ alignas(128) unsigned words[4];
    constexpr std::uint32_t bytes = sizeof words;
    y += std::size_t(blockIdx.x) * rounds * 4;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < 4; ++i) words[i] = word_of(blockIdx.x, round, i);
        if (fence) ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + round * 4, words,
                           bytes);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
// [/one-thread]

// [global]
/// Each round, one thread stores four words to global memory, and TMA copies them to
/// shared memory.
/// @tparam fence  whether the thread executes the fence
/// @param x       4 words for each block in device memory, changed
/// @param y       rounds * 4 words for each block in device memory, written
template <bool fence>
__global__ void load_words(unsigned* x, unsigned* y) {
    __shared__ alignas(128) unsigned words[4];
    __shared__ std::uint64_t arrived;
    constexpr std::uint32_t bytes = sizeof words;
    x += std::size_t(blockIdx.x) * 4;
    y += std::size_t(blockIdx.x) * rounds * 4;
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < 4; ++i) x[i] = word_of(blockIdx.x, round, i);
        if (fence) ptx::fence_proxy_async(ptx::space_global);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
                           &arrived);
        lockstep::await_phase(&arrived, round % 2);
        for (int i = 0; i < 4; ++i) y[round * 4 + i] = words[i];
    }
}
// [/global]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    options.finish();
    lockstep::require_device(90);

    const auto expect = [&](int words) {
        std::vector<unsigned> all(std::size_t(blocks) * rounds * words);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = word_of(int(i / words / rounds), int(i / words % rounds),
                             int(i % words));
        return all;
    };
    const std::vector<unsigned> tiles = expect(tile), words = expect(4);
    lockstep::device_buffer<unsigned> d_tiles(tiles.size()), d_words(words.size());
    lockstep::device_buffer<unsigned> d_x(std::size_t(blocks) * 4);
    std::vector<unsigned> found;  // by the last run
    const auto wrong = [&](auto& d_y, const std::vector<unsigned>& expected,
                           auto launch) {
        d_y.fill_bytes(0xFF);
        launch();
        lockstep::check(cudaGetLastError());
        found = d_y.to_host();
        return static_cast<long long>(lockstep::count_mismatches(found, expected));
    };
    const long long tile_without = wrong(d_tiles, tiles, [&] {
        store_tiles<nowhere><<<blocks, block_size>>>(d_tiles.data());
    });
    const long long shared_without = wrong(
        d_words, words, [&] { store_words<false><<<blocks, 1>>>(d_words.data()); });
    long long previous = 0, first = rounds, last = 0;  // rounds count from 1
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (found[i] == words[i]) continue;
        const long long round = static_cast<long long>(i / 4 % rounds) + 1;
        if (round < first) first = round;
        if (round > last) last = round;
        if (round > 1 && found[i] == words[i - 4]) ++previous;
    }
    const long long global_without = wrong(d_words, words, [&] {
        load_words<false><<<blocks, 1>>>(d_x.data(), d_words.data());
    });
    const long long with[] = {
        wrong(
            d_tiles, tiles,
            [&] { store_tiles<each_thread><<<blocks, block_size>>>(d_tiles.data()); }),
        wrong(d_words, words,
              [&] { store_words<true><<<blocks, 1>>>(d_words.data()); }),
        wrong(d_words, words,
              [&] { load_words<true><<<blocks, 1>>>(d_x.data(), d_words.data()); })};
    const long long late = wrong(d_tiles, tiles, [&] {
        store_tiles<thread_0><<<blocks, block_size>>>(d_tiles.data());
    });
    lockstep::report("tile: words", tiles.size());
    lockstep::report("tile: wrong, with fence", with[0]);
    lockstep::report("tile: wrong, no fence", lockstep::counted{tile_without});
    lockstep::report("tile: wrong, late fence", lockstep::counted{late});
    lockstep::report("shared: words", words.size());
    lockstep::report("shared: wrong, with fence", with[1]);
    lockstep::report("shared: wrong, no fence", lockstep::counted{shared_without});
    lockstep::report("shared: one round old", lockstep::counted{previous});
    lockstep::report("shared: first wrong round", lockstep::counted{first});
    lockstep::report("shared: last wrong round", lockstep::counted{last});
    lockstep::report("global: words", words.size());
    lockstep::report("global: wrong, with fence", with[2]);
    lockstep::report("global: wrong, no fence", lockstep::counted{global_without});
    return with[0] + with[1] + with[2] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
