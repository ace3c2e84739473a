// A block copies a tile to shared memory, changes it, and copies it back, each with one
// instruction of one thread. Three calls start the copy in; they differ in who
// tells the barrier how many bytes to expect.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int block_size = 256;
constexpr int tile = 1024;  // words

/// Initializes a barrier for the arrivals of a whole block.
/// @param barrier  in shared memory
__device__ void make_barrier(block_barrier* barrier) {
    // [barrier]
    if (threadIdx.x == 0) {
        init(barrier, block_size);
        ptx::fence_proxy_async(ptx::space_shared);  // a precaution
    }
    __syncthreads();
    // [/barrier]
}

/// Adds 1 to each word of a tile and copies it to global memory.
/// @param words  the tile in shared memory, changed
/// @param x      tile ints in device memory, 16-byte aligned, written
__device__ void change_and_store(int* words, int* x) {
    // [store]
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);  // each thread, for what it stored
    __syncthreads();  // all threads have stored
    if (threadIdx.x == 0) {
        constexpr std::uint32_t bytes = tile * sizeof(int);
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x, words, bytes);
        ptx::cp_async_bulk_commit_group();
        // TMA has read the tile; now its memory may end with the block
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    // [/store]
}

// [ptx]
/// Adds 1 to each word; the PTX instruction copies to shared memory.
/// @param x  tile ints for each block in device memory, 16-byte aligned, changed
__global__ void by_ptx(int* x) {
    __shared__ alignas(128) int words[tile];
    constexpr std::uint32_t bytes = sizeof words;  // a multiple of 16
    __shared__ block_barrier barrier;
    x += std::size_t(blockIdx.x) * tile;
    make_barrier(&barrier);
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
                           cuda::device::barrier_native_handle(barrier));
        cuda::device::barrier_expect_tx(barrier, bytes);
    }
    barrier.arrive_and_wait();  // all threads have arrived, and all bytes
    change_and_store(words, x);
}
// [/ptx]

// [memcpy-async-tx]
/// Adds 1 to each word; cuda::device::memcpy_async_tx copies to shared memory.
/// @param x  tile ints for each block in device memory, 16-byte aligned, changed
__global__ void by_memcpy_async_tx(int* x) {
    __shared__ alignas(128) int words[tile];
    constexpr std::uint32_t bytes = sizeof words;  // a multiple of 16
    __shared__ block_barrier barrier;
    x += std::size_t(blockIdx.x) * tile;
    make_barrier(&barrier);
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(words, x, cuda::aligned_size_t<16>(bytes),
                                      barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, bytes);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    change_and_store(words, x);
}
// [/memcpy-async-tx]

// [memcpy-async]
/// Adds 1 to each word; cuda::memcpy_async copies to shared memory.
/// @param x  tile ints for each block in device memory, 16-byte aligned, changed
__global__ void by_memcpy_async(int* x) {
    __shared__ alignas(128) int words[tile];
    constexpr std::uint32_t bytes = sizeof words;  // a multiple of 16
    __shared__ block_barrier barrier;
    x += std::size_t(blockIdx.x) * tile;
    make_barrier(&barrier);
    if (threadIdx.x == 0)  // announces the bytes by itself
        cuda::memcpy_async(words, x, cuda::aligned_size_t<16>(bytes), barrier);
    barrier.arrive_and_wait();
    change_and_store(words, x);
}
// [/memcpy-async]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device(90);

    std::vector<int> x(std::size_t(blocks) * tile);
    std::vector<int> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<int>(i * 31);
        expected[i] = x[i] + 1;
    }
    std::size_t wrong = 0;
    const auto show = [&](const char* name, auto kernel) {
        lockstep::device_buffer<int> d_x(x);
        kernel<<<blocks, block_size>>>(d_x.data());
        lockstep::check(cudaGetLastError());
        const std::size_t found = lockstep::count_mismatches(d_x.to_host(), expected);
        lockstep::report(name, found);
        wrong += found;
    };
    lockstep::report("tile", tile * sizeof(int), "bytes");
    show("cp_async_bulk: wrong", by_ptx);
    show("memcpy_async_tx: wrong", by_memcpy_async_tx);
    show("memcpy_async: wrong", by_memcpy_async);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
