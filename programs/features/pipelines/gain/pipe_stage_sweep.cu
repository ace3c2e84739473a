// How many stages does a pipeline need, and which kind costs least? Blocks work through
// tiles with one to eight stages, and with pipelines of three kinds: of each thread,
// unified for the block, and partitioned, with a warp that only copies.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int workers = 128;  // threads that compute
constexpr int tile = 4 * workers;  // words of a tile: 2 KiB
enum kind { of_thread, of_block, partitioned };

/// What is done with a word, in `work` dependent steps.
__host__ __device__ unsigned use(unsigned word, int work) {
    for (int i = 0; i < work; ++i) word = word * 1664525 + (word >> 13);
    return word;
}

/// A worker's share of a tile that others have copied.
__device__ unsigned share_of(const unsigned* words, int worker, int work) {
    unsigned sum = 0;
    for (int k = worker; k < tile; k += workers) sum += use(words[k ^ 4], work);
    return sum;
}

// [thread]
/// Adds up what is made of all words, with a pipeline of each thread.
/// @tparam stages  number of buffers
/// @param tiles    number of tiles of each block
/// @param work     steps that each word takes
/// @param x        tiles * tile words for each block in device memory, 16-byte aligned
/// @param sums     one word for each worker in device memory, written
template <int stages>
__global__ void with_thread_pipelines(int tiles, int work, const unsigned* x,
                                      unsigned* sums) {
    __shared__ alignas(16) unsigned words[stages][tile];
    const int i = threadIdx.x;
    x += std::size_t(blockIdx.x) * tiles * tile;
    auto pipe = cuda::make_pipeline();
    const auto fetch = [&](int t) {
        pipe.producer_acquire();
        if (t < tiles)
            cuda::memcpy_async(&words[t % stages][4 * i], &x[t * tile + 4 * i],
                               cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();  // even without a copy
    };
    unsigned sum = 0;
    for (int t = 0; t < stages - 1; ++t) fetch(t);
    for (int t = 0; t < tiles; ++t) {
        fetch(t + stages - 1);
        cuda::pipeline_consumer_wait_prior<stages - 1>(pipe);
        __syncthreads();  // the copies of the others are complete as well
        sum += share_of(words[t % stages], i, work);
        pipe.consumer_release();
        __syncthreads();  // the next round overwrites this buffer
    }
    sums[blockIdx.x * workers + i] = sum;
}
// [/thread]

// [block-fetch]
/// The same with a pipeline of the block.
/// @tparam stages  number of buffers
/// @tparam roles   whether a warp of its own copies, or all threads do
/// @param tiles    number of tiles of each block
/// @param work     steps that each word takes
/// @param x        tiles * tile words for each block in device memory, 16-byte aligned
/// @param sums     one word for each worker in device memory, written
template <int stages, bool roles>
__global__ void with_block_pipeline(int tiles, int work, const unsigned* x,
                                    unsigned* sums) {
    using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
    __shared__ alignas(16) unsigned words[stages][tile];
    __shared__ shared_state state;
    constexpr int producers = roles ? 32 : workers;
    const auto block = cooperative_groups::this_thread_block();
    auto pipe = roles ? cuda::make_pipeline(block, &state, std::size_t(producers))
                      : cuda::make_pipeline(block, &state);
    const int i = threadIdx.x;
    x += std::size_t(blockIdx.x) * tiles * tile;
    const auto fetch = [&](int t) {
        if (t >= tiles) return;  // no commit needed: the wait takes the oldest stage
        pipe.producer_acquire();
        for (int k = 4 * i; k < tile; k += 4 * producers)
            cuda::memcpy_async(&words[t % stages][k], &x[t * tile + k],
                               cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
    };
    // [/block-fetch]
    // [block-loops]
    if (roles && i < producers) {
        for (int t = 0; t < tiles; ++t) fetch(t);
        return;
    }
    const int worker = roles ? i - producers : i;
    unsigned sum = 0;
    if (!roles)
        for (int t = 0; t < stages - 1; ++t) fetch(t);
    for (int t = 0; t < tiles; ++t) {
        if (!roles) fetch(t + stages - 1);
        pipe.consumer_wait();
        sum += share_of(words[t % stages], worker, work);
        pipe.consumer_release();
    }
    sums[blockIdx.x * workers + worker] = sum;
}
// [/block-loops]

/// Launches the kernel of one kind and one number of stages.
template <int stages>
void launch(kind which, int blocks, int tiles, int work, const unsigned* x,
            unsigned* sums) {
    if (which == of_thread)
        with_thread_pipelines<stages><<<blocks, workers>>>(tiles, work, x, sums);
    else if (which == of_block)
        with_block_pipeline<stages, false><<<blocks, workers>>>(tiles, work, x, sums);
    else
        with_block_pipeline<stages, true>
            <<<blocks, workers + 32>>>(tiles, work, x, sums);
    lockstep::check(cudaGetLastError());
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int per_sm = options.integer("blocks-per-sm", 1, 1, 12);
    const int all_tiles = options.integer("tiles", 480, 12, 4800);
    const int work = options.integer("work", 8, 0, 1000);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = untimed ? 2 : sms * per_sm;
    const int tiles = all_tiles / per_sm;  // of each block; an SM always has as many
    std::vector<unsigned> x(std::size_t(blocks) * tiles * tile);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 2654435761u;
    std::vector<unsigned> expected(workers);  // of block 0
    for (int i = 0; i < tiles * tile; ++i) expected[i % workers] += use(x[i ^ 4], work);
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(blocks * workers);

    const char* names[] = {"of each thread", "unified", "partitioned"};
    lockstep::csv_file series(csv, "stages,pipeline,~ns");
    std::printf("time in which an SM finishes a tile, by pipeline\n");
    std::printf("%6s%17s%17s%17s\n", "stages", names[0], names[1], names[2]);
    std::size_t wrong = 0;
    std::vector<unsigned> first;
    const auto measure = [&](int stages, auto start) {
        double ns[3] = {};
        const auto begin = [&](std::size_t which) {
            start(kind(which), blocks, tiles, work, d_x.data(), d_sums.data());
        };
        for (std::size_t which = 0; which < 3; ++which) {
            d_sums.fill_bytes(0xFF);
            begin(which);
            const std::vector<unsigned> sums = d_sums.to_host();
            if (first.empty()) first = sums;
            wrong += lockstep::count_mismatches(sums, first);
            for (int i = 0; i < workers; ++i) wrong += sums[i] != expected[i];
        }
        if (!untimed) {
            const auto times = lockstep::time_in_turns(3, begin);
            for (int which = 0; which < 3; ++which)
                ns[which] = 1e6 * times[which].median_ms / (tiles * per_sm);
        }
        std::printf("%6d", stages);
        for (int which = 0; which < 3; ++which) {
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f ns", ns[which]);
            std::printf("%17s", text);
            series.row("%d,\"%s\",%.4g", stages, names[which], ns[which]);
        }
        std::printf("\n");
    };
    measure(1, launch<1>);
    measure(2, launch<2>);
    measure(3, launch<3>);
    measure(4, launch<4>);
    measure(6, launch<6>);
    measure(8, launch<8>);
    series.finish();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
