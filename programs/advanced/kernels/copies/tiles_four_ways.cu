// The copy-and-compute pattern: a block copies a tile into shared memory, computes on
// it, and goes on to the next tile. The copy can go through registers, run
// asynchronously while the threads wait, or run while they compute on the tile before.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline_primitives.h>
#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// make_pipeline() initializes the state, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int tile = 256;  // elements, and threads of a block

/// What is computed on a tile: a sum over elements that other threads copied. Its type
/// is unsigned, since the sum overflows, and an int must not.
/// @param words  the tile, in shared memory
/// @param reads  number of elements that each thread reads
/// @param sum    the sum so far
__device__ unsigned use(const int* words, int reads, unsigned sum) {
    for (int i = 0; i < reads; ++i)
        sum = sum * 3 + words[(threadIdx.x * 5 + i * 9) % tile];
    return sum;
}

// [registers]
/// Through registers: each thread loads an element and stores it.
/// @param tiles  number of tiles of each block
/// @param reads  number of elements of a tile that each thread reads
/// @param in     tiles * tile ints for each block in device memory
/// @param out    one word for each thread in device memory, written
__global__ void through_registers(int tiles, int reads, const int* in, unsigned* out) {
    __shared__ int words[tile];
    in += std::size_t(blockIdx.x) * tiles * tile;
    unsigned sum = 0;
    for (int i = 0; i < tiles; ++i) {
        words[threadIdx.x] = in[i * tile + threadIdx.x];
        __syncthreads();  // the tile is complete
        sum = use(words, reads, sum);
        __syncthreads();  // all threads are done with the tile
    }
    out[blockIdx.x * tile + threadIdx.x] = sum;
}
// [/registers]

// [group]
/// By the group: an asynchronous copy, for which the group waits at once.
/// @param tiles  number of tiles of each block
/// @param reads  number of elements of a tile that each thread reads
/// @param in     tiles * tile ints for each block in device memory
/// @param out    one word for each thread in device memory, written
__global__ void by_group(int tiles, int reads, const int* in, unsigned* out) {
    __shared__ int words[tile];
    const auto block = cooperative_groups::this_thread_block();
    in += std::size_t(blockIdx.x) * tiles * tile;
    unsigned sum = 0;
    for (int i = 0; i < tiles; ++i) {
        // the size is in bytes
        cooperative_groups::memcpy_async(block, words, in + i * tile,
                                         tile * sizeof(int));
        cooperative_groups::wait(block);
        sum = use(words, reads, sum);
        block.sync();
    }
    out[blockIdx.x * tile + threadIdx.x] = sum;
}
// [/group]

// [pipeline]
/// By a pipeline of two stages: the next tile is copied while this one is used.
/// @param tiles  number of tiles of each block
/// @param reads  number of elements of a tile that each thread reads
/// @param in     tiles * tile ints for each block in device memory
/// @param out    one word for each thread in device memory, written
__global__ void by_pipeline(int tiles, int reads, const int* in, unsigned* out) {
    __shared__ int words[2][tile];
    using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
    __shared__ shared_state state;  // make_pipeline initializes it
    const auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    in += std::size_t(blockIdx.x) * tiles * tile;
    const auto fetch = [&](int i) {
        pipeline.producer_acquire();  // a free stage
        cuda::memcpy_async(block, words[i % 2], in + i * tile, tile * sizeof(int),
                           pipeline);
        pipeline.producer_commit();
    };
    unsigned sum = 0;
    fetch(0);
    for (int i = 0; i < tiles; ++i) {
        if (i + 1 < tiles) fetch(i + 1);
        pipeline.consumer_wait();  // the oldest stage has arrived
        sum = use(words[i % 2], reads, sum);
        pipeline.consumer_release();
    }
    out[blockIdx.x * tile + threadIdx.x] = sum;
}
// [/pipeline]

// [primitives]
/// The same with primitives: a thread waits for its own copies only, so barriers are
/// needed.
/// @param tiles  number of tiles of each block
/// @param reads  number of elements of a tile that each thread reads
/// @param in     tiles * tile ints for each block in device memory
/// @param out    one word for each thread in device memory, written
__global__ void by_primitives(int tiles, int reads, const int* in, unsigned* out) {
    __shared__ int words[2][tile];
    in += std::size_t(blockIdx.x) * tiles * tile;
    const auto fetch = [&](int i) {
        if (i < tiles)
            __pipeline_memcpy_async(&words[i % 2][threadIdx.x],
                                    in + i * tile + threadIdx.x, sizeof(int));
        __pipeline_commit();
    };
    unsigned sum = 0;
    fetch(0);
    for (int i = 0; i < tiles; ++i) {
        fetch(i + 1);
        __pipeline_wait_prior(1);  // all but the newest
        __syncthreads();
        sum = use(words[i % 2], reads, sum);
        __syncthreads();
    }
    out[blockIdx.x * tile + threadIdx.x] = sum;
}
// [/primitives]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 256, 1, 4096);
    // 2 for each SM of an H200; any other number is right, too
    const int blocks = options.integer("blocks", 264, 1, 4096);
    const int reads = options.integer("reads", 32, 0, 4096);
    options.finish();
    lockstep::require_device();

    std::vector<int> in(std::size_t(blocks) * tiles * tile);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<int>(i * 7919 % 10'007);
    lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<unsigned> d_out(blocks * tile);
    std::vector<unsigned> expected;
    std::size_t different = 0;
    const auto run = [&](const char* name, auto kernel) {
        d_out.fill_bytes(0xFF);
        kernel<<<blocks, tile>>>(tiles, reads, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        if (expected.empty()) expected = d_out.to_host();
        different += lockstep::count_mismatches(d_out.to_host(), expected);
        const auto launch = [&] {
            kernel<<<blocks, tile>>>(tiles, reads, d_in.data(), d_out.data());
        };
        lockstep::report(
            name, lockstep::measured{1e3 * lockstep::time_on_device(launch).median_ms},
            "us");
    };
    run("through registers", through_registers);
    unsigned first = 0;  // thread 0 of block 0, on the host
    for (int i = 0; i < tiles; ++i)
        for (int k = 0; k < reads; ++k) first = first * 3 + in[i * tile + k * 9 % tile];
    run("group copy", by_group);
    run("pipeline, two stages", by_pipeline);
    run("primitives, two stages", by_primitives);
    lockstep::report("results that differ", different);
    return different == 0 && expected[0] == first ? EXIT_SUCCESS : EXIT_FAILURE;
}
