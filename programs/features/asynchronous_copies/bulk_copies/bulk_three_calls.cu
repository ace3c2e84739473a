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
enum call { memcpy_async, memcpy_async_tx, by_ptx };

// [kernel]
/// Adds 1 to each word.
/// @tparam how  the copy to shared memory is started
/// @param x     tile ints for each block in device memory, 16-byte aligned, changed
template <call how>
__global__ void add_one(int* x) {
    __shared__ alignas(128) int words[tile];
    constexpr std::uint32_t bytes = sizeof words;  // a multiple of 16
    __shared__ block_barrier barrier;
    x += std::size_t(blockIdx.x) * tile;
    if (threadIdx.x == 0) {
        init(&barrier, block_size);
        ptx::fence_proxy_async(ptx::space_shared);  // a precaution
    }
    __syncthreads();
    // [/kernel]
    // [load]
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        if (how == memcpy_async) {
            // announces the bytes by itself
            cuda::memcpy_async(words, x, cuda::aligned_size_t<16>(bytes), barrier);
            token = barrier.arrive();
        }
        if (how == memcpy_async_tx) {
            cuda::device::memcpy_async_tx(words, x, cuda::aligned_size_t<16>(bytes),
                                          barrier);
            token = cuda::device::barrier_arrive_tx(barrier, 1, bytes);
        }
        if (how == by_ptx) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
                               cuda::device::barrier_native_handle(barrier));
            cuda::device::barrier_expect_tx(barrier, bytes);
            token = barrier.arrive();
        }
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));  // all threads have arrived, and all bytes
    // [/load]

    // [store]
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] += 1;
    ptx::fence_proxy_async(ptx::space_shared);  // each thread, for what it stored
    __syncthreads();  // all threads have stored
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, x, words, bytes);
        ptx::cp_async_bulk_commit_group();
        // TMA has read the tile; now its memory may end with the block
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
// [/store]

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
    show("memcpy_async: wrong", add_one<memcpy_async>);
    show("memcpy_async_tx: wrong", add_one<memcpy_async_tx>);
    show("cp_async_bulk: wrong", add_one<by_ptx>);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
