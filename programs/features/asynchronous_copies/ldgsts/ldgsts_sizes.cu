// How does a thread start a copy from global to shared memory that passes no register?
// Three interfaces do it, with 4, 8 or 16 bytes for each copy. The machine code says
// which instruction each of them becomes.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline_primitives.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int max_words = 4;  // words of a thread: 4, 8 or 16 bytes

// [primitives]
/// Adds 1 to each word; the primitives copy to shared memory.
/// @tparam bytes  size of each thread's copy
/// @param x       bytes / 4 words for each thread in device memory
/// @param y       as many words in device memory, written
template <int bytes>
__global__ void by_primitives(const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned words[block_size * max_words];
    constexpr int share = bytes / int(sizeof(unsigned));
    const int mine = static_cast<int>(threadIdx.x) * share;
    __pipeline_memcpy_async(words + mine, x + mine, bytes);
    __pipeline_commit();
    __pipeline_wait_prior(0);  // the copies of this thread have arrived
    for (int i = mine; i < mine + share; ++i) y[i] = words[i] + 1;
}
// [/primitives]

// [barrier]
/// Adds 1 to each word; cuda::memcpy_async copies, and a barrier says when it is done.
/// @tparam bytes  size of each thread's copy
/// @param x       bytes / 4 words for each thread in device memory
/// @param y       as many words in device memory, written
template <int bytes>
__global__ void by_barrier(const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned words[block_size * max_words];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, block_size);
#if __CUDA_ARCH__ >= 900  // there TMA may copy, and signal to the barrier
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
#endif
    }
    __syncthreads();
    constexpr int share = bytes / int(sizeof(unsigned));
    const int mine = static_cast<int>(threadIdx.x) * share;
    cuda::memcpy_async(words + mine, x + mine, cuda::aligned_size_t<bytes>(bytes),
                       barrier);
    barrier.arrive_and_wait();  // the copies of all threads have arrived
    for (int i = mine; i < mine + share; ++i) y[i] = words[i] + 1;
}
// [/barrier]

// [group]
/// Adds 1 to each word; the block copies as a group.
/// @tparam bytes  alignment that is promised
/// @param x       bytes / 4 words for each thread in device memory
/// @param y       as many words in device memory, written
template <int bytes>
__global__ void by_group(const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned words[block_size * max_words];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, words, x, cuda::aligned_size_t<bytes>(block_size * bytes));
    cg::wait(block);  // the copies of all threads have arrived
    constexpr int share = bytes / int(sizeof(unsigned));
    const int mine = static_cast<int>(threadIdx.x) * share;
    for (int i = mine; i < mine + share; ++i) y[i] = words[i] + 1;
}
// [/group]

int main() {
    lockstep::require_device();

    std::vector<unsigned> x(block_size * max_words);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 17;
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_y(x.size());
    std::size_t wrong = 0;
    std::printf("wrong words     4 bytes   8 bytes  16 bytes\n");
    const auto row = [&](const char* name, auto kernel_4, auto kernel_8,
                         auto kernel_16) {
        std::printf("%-13s", name);
        int words = 1;
        for (const auto kernel : {kernel_4, kernel_8, kernel_16}) {
            std::vector<unsigned> expected(x.size(), 0xFFFFFFFF);
            for (int i = 0; i < block_size * words; ++i) expected[i] = x[i] + 1;
            d_y.fill_bytes(0xFF);
            kernel<<<1, block_size>>>(d_x.data(), d_y.data());
            lockstep::check(cudaGetLastError());
            const std::size_t found =
                lockstep::count_mismatches(d_y.to_host(), expected);
            std::printf("%10zu", found);
            wrong += found;
            words *= 2;
        }
        std::printf("\n");
    };
    row("primitives", by_primitives<4>, by_primitives<8>, by_primitives<16>);
    row("barrier", by_barrier<4>, by_barrier<8>, by_barrier<16>);
    row("group", by_group<4>, by_group<8>, by_group<16>);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
