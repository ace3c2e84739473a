// A loop copies tiles several stages ahead. If each thread uses only what it copied
// itself, waiting for its own copies is enough, and no barrier of the block is needed.
// What do more stages gain, and what do the barriers cost?

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline_primitives.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;

/// What is done with a word.
__host__ __device__ unsigned use(unsigned word) {
    for (int i = 0; i < 8; ++i) word = word * 1664525 + (word >> 13);
    return word;
}

// [kernel]
/// Adds up what is made of the words; each thread copies the words that it uses.
/// @tparam stages    number of buffers
/// @tparam barriers  whether the block synchronizes before and after the use of a tile
/// @param tiles      number of tiles of each block
/// @param x          tiles * block_size uint4s for each block in device memory
/// @param sums       one word for each thread in device memory, written
template <int stages, bool barriers>
__global__ void add_up(int tiles, const uint4* x, unsigned* sums) {
    __shared__ uint4 buffer[stages][block_size];
    const int t = threadIdx.x;
    x += std::size_t(blockIdx.x) * tiles * block_size;
    const auto fetch = [&](int tile) {
        if (tile < tiles)
            __pipeline_memcpy_async(&buffer[tile % stages][t],
                                    x + std::size_t(tile) * block_size + t,
                                    sizeof(uint4));
        __pipeline_commit();  // even if it is empty: wait_prior counts the commits
    };
    for (int tile = 0; tile < stages; ++tile) fetch(tile);
    unsigned sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
        __pipeline_wait_prior(stages - 1);  // the oldest of `stages` commits
        if (barriers) __syncthreads();
        const uint4 words = buffer[tile % stages][t];
        sum += use(words.x) + use(words.y) + use(words.z) + use(words.w);
        if (barriers) __syncthreads();
        fetch(tile + stages);  // into the buffer that was just read
    }
    sums[blockIdx.x * block_size + t] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 512, 1, 512);
    const int blocks = options.integer("blocks", 132, 1, 2048);  // SMs of an H200
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(80);

    std::vector<uint4> x(std::size_t(blocks) * tiles * block_size);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const unsigned word = unsigned(i) * 2654435761u;
        x[i] = {word, word + 1, word + 2, word + 3};
    }
    std::vector<unsigned> expected(std::size_t(blocks) * block_size);
    for (int block = 0; block < blocks; ++block)
        for (int i = 0; i < tiles * block_size; ++i) {
            const uint4 words = x[std::size_t(block) * tiles * block_size + i];
            expected[block * block_size + i % block_size] +=
                use(words.x) + use(words.y) + use(words.z) + use(words.w);
        }
    const lockstep::device_buffer<uint4> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(expected.size());
    using kernel = void (*)(int, const uint4*, unsigned*);
    const kernel kernels[] = {add_up<1, true>,  add_up<1, false>, add_up<2, true>,
                              add_up<2, false>, add_up<4, true>,  add_up<4, false>,
                              add_up<8, true>,  add_up<8, false>};
    const auto launch = [&](std::size_t i) {
        kernels[i]<<<blocks, block_size>>>(tiles, d_x.data(), d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        d_sums.fill_bytes(0xFF);
        launch(i);
        wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
    }
    if (!untimed) {
        const auto times = lockstep::time_in_turns(8, launch);
        for (std::size_t i = 0; i < 8; ++i) {
            char label[28];
            std::snprintf(label, sizeof label, "%d stage%s, %s", 1 << i / 2,
                          i < 2 ? "" : "s", i % 2 == 0 ? "barriers" : "no barrier");
            lockstep::report(label,
                             lockstep::measured{1e6 * times[i].median_ms / tiles},
                             "ns per tile");
        }
    }
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
