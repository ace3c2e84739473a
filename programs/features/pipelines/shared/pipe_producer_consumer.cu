// Half of a block copies, the other half computes: a partitioned pipeline with a stage
// for each of two buffers tells the consumers that a buffer is full, and the producers
// that it is free again. Two asynchronous barriers for each buffer would do the same.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int stages = 2;
constexpr int side = 128;       // half of a block: producers, or consumers
constexpr int tile = 4 * side;  // words of a tile
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;

// [produce]
/// Copies all tiles to shared memory, as buffers become free.
/// @param pipe   the pipeline, of which the thread is a producer
/// @param tiles  number of tiles
/// @param words  stages buffers in shared memory
/// @param in     tiles * tile words in device memory, 16-byte aligned
__device__ void produce(block_pipeline& pipe, int tiles, int (*words)[tile],
                        const int* in) {
    const int k = 4 * threadIdx.x;  // this thread's 16 bytes
    for (int i = 0; i < tiles; ++i) {
        pipe.producer_acquire();
        cuda::memcpy_async(&words[i % stages][k], &in[i * tile + k],
                           cuda::aligned_size_t<16>(16), pipe);
        pipe.producer_commit();
    }
}
// [/produce]

// [consume]
/// Computes on all tiles, as buffers become full.
/// @param pipe   the pipeline, of which the thread is a consumer
/// @param tiles  number of tiles
/// @param words  stages buffers in shared memory
/// @param out    tiles * tile words in device memory, written
__device__ void consume(block_pipeline& pipe, int tiles, const int (*words)[tile],
                        int* out) {
    for (int i = 0; i < tiles; ++i) {
        pipe.consumer_wait();
        for (int k = threadIdx.x - side; k < tile; k += side)
            out[i * tile + k] = words[i % stages][k] - words[i % stages][k ^ 1];
        pipe.consumer_release();
    }
}
// [/consume]

// [kernel]
/// Subtracts from each word its neighbor.
/// @param tiles  number of tiles of each block
/// @param in     tiles * tile words for each block in device memory, 16-byte aligned
/// @param out    tiles * tile words for each block in device memory, written
__global__ void differences(int tiles, const int* in, int* out) {
    __shared__ alignas(16) int words[stages][tile];
    __shared__ shared_state state;
    constexpr cuda::std::size_t producer_count = side;
    block_pipeline pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(),
                                              &state, producer_count);
    const std::size_t first = std::size_t(blockIdx.x) * tiles * tile;
    if (threadIdx.x < producer_count)
        produce(pipe, tiles, words, in + first);
    else
        consume(pipe, tiles, words, out + first);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 64, 1, 4096);
    const int blocks = options.integer("blocks", 132, 1, 4096);  // SMs of an H200
    options.finish();
    lockstep::require_device(80);

    std::vector<int> in(std::size_t(blocks) * tiles * tile), expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<int>(i * 7919 % 10'007);
    for (std::size_t i = 0; i < in.size(); ++i) expected[i] = in[i] - in[i ^ 1];
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(in.size());
    d_out.fill_bytes(0xFF);
    differences<<<blocks, 2 * side>>>(tiles, d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_out.to_host(), expected);
    lockstep::report("producers of a block", side);
    lockstep::report("consumers of a block", side);
    lockstep::report("words", in.size());
    lockstep::report("wrong differences", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
