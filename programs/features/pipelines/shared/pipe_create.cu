// How is a pipeline created? Four ways to copy the same tile: a pipeline of each
// thread, and three of the whole block: unified, and partitioned into producers and
// consumers by a role or by a number. The pipelines of a block need a shared state.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [suppress]
// make_pipeline() initializes the state, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init
// [/suppress]

namespace cg = cooperative_groups;

// [types]
constexpr int tile = 128;       // words, and threads of a block
constexpr int producers = 32;   // threads that copy, where not all do
constexpr int stage_count = 2;  // stages that a state has room for
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stage_count>;
using block_pipeline = cuda::pipeline<cuda::thread_scope_block>;
// [/types]

// [thread]
/// A pipeline of thread scope: every thread copies, waits for itself, and a barrier
/// makes the words of the others visible.
/// @param in   tile words in device memory
/// @param out  tile words in device memory, written: each word plus its neighbor
__global__ void one_for_each_thread(const int* in, int* out) {
    __shared__ int words[tile];
    const int i = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&words[i], &in[i], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    out[i] = words[i] + words[(i + 1) % tile];
    pipe.consumer_release();
}
// [/thread]

// [unified]
/// A unified pipeline of the block: all threads produce, and all consume.
/// @param in   tile words in device memory
/// @param out  tile words in device memory, written: each word plus its neighbor
__global__ void unified(const int* in, int* out) {
    __shared__ int words[tile];
    __shared__ shared_state state;
    const cg::thread_block block = cg::this_thread_block();
    block_pipeline pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, words, in, tile * sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();  // the copies of all threads of the block
    const int i = threadIdx.x;
    out[i] = words[i] + words[(i + 1) % tile];
    pipe.consumer_release();
}
// [/unified]

/// What producers and consumers of a partitioned pipeline do.
/// @param pipe   the pipeline
/// @param words  tile words in shared memory
/// @param in     tile words in device memory
/// @param out    tile - producers words in device memory, written
__device__ void play_roles(block_pipeline& pipe, int* words, const int* in, int* out) {
    // [roles]
    const int i = threadIdx.x;
    if (i < producers) {
        pipe.producer_acquire();
        for (int k = i; k < tile; k += producers)
            cuda::memcpy_async(&words[k], &in[k], sizeof(int), pipe);
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();  // the copies of all producers
        for (int k = i - producers; k < tile; k += tile - producers)
            out[k] = words[k] + words[(k + 1) % tile];
        pipe.consumer_release();
    }
    // [/roles]
}

/// A partitioned pipeline: each thread says its role.
/// @param in   tile words in device memory
/// @param out  tile words in device memory, written: each word plus its neighbor
__global__ void partitioned_by_role(const int* in, int* out) {
    __shared__ int words[tile];
    __shared__ shared_state state;
    // [by-role]
    const auto role = threadIdx.x < producers ? cuda::pipeline_role::producer
                                              : cuda::pipeline_role::consumer;
    block_pipeline pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
    // [/by-role]
    play_roles(pipe, words, in, out);
}

/// A partitioned pipeline: the first `producers` threads produce.
/// @param in   tile words in device memory
/// @param out  tile words in device memory, written: each word plus its neighbor
__global__ void partitioned_by_count(const int* in, int* out) {
    __shared__ int words[tile];
    __shared__ shared_state state;
    // [by-count]
    constexpr cuda::std::size_t producer_count = producers;
    block_pipeline pipe =
        cuda::make_pipeline(cg::this_thread_block(), &state, producer_count);
    // [/by-count]
    play_roles(pipe, words, in, out);
}

int main() {
    lockstep::require_device(80);

    std::vector<int> in(tile), expected(tile);
    for (int i = 0; i < tile; ++i) in[i] = i * i % 1009;
    for (int i = 0; i < tile; ++i) expected[i] = in[i] + in[(i + 1) % tile];
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(tile);
    bool right = true;
    const auto run = [&](const char* name, auto kernel) {
        d_out.fill_bytes(0xFF);
        kernel<<<1, tile>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        const bool same = lockstep::count_mismatches(d_out.to_host(), expected) == 0;
        lockstep::report(name, same ? "right sums" : "wrong sums");
        right = right && same;
    };
    run("of each thread", one_for_each_thread);
    run("of the block, unified", unified);
    run("partitioned by role", partitioned_by_role);
    run("partitioned by count", partitioned_by_count);
    using one = cuda::pipeline_shared_state<cuda::thread_scope_block, 1>;
    using eight = cuda::pipeline_shared_state<cuda::thread_scope_block, 8>;
    lockstep::report("shared state, 1 stage", sizeof(one), "B");
    lockstep::report("shared state, 2 stages", sizeof(shared_state), "B");
    lockstep::report("shared state, 8 stages", sizeof(eight), "B");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
