// The three mechanisms of Hopper for asynchronous copies: LDGSTS copies 16 bytes for
// each thread, TMA copies a whole tile for one thread, STAS sends a register to the
// shared memory of another block of the cluster.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int tile = 4 * block_size;  // words

// [ldgsts]
/// Adds 1 to a tile: LDGSTS copies it to shared memory.
/// @param in   one tile for each block in device memory
/// @param out  one tile for each block in device memory, written
__global__ void by_ldgsts(const unsigned* in, unsigned* out) {
    __shared__ alignas(16) unsigned words[tile];
    const int mine = 4 * static_cast<int>(threadIdx.x);
    __pipeline_memcpy_async(words + mine, in + blockIdx.x * tile + mine, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);  // for the copies of this thread
    __syncthreads();           // for those of all threads
    for (int i = threadIdx.x; i < tile; i += block_size)
        out[blockIdx.x * tile + i] = words[i] + 1;
}
// [/ldgsts]

// [tma]
/// Adds 1 to a tile: TMA copies it to shared memory and back.
/// @tparam fenced  whether a proxy fence stands between the stores and the copy back
/// @param in       one tile for each block in device memory
/// @param out      one tile for each block in device memory, written
template <bool fenced>
__global__ void by_tma(const unsigned* in, unsigned* out) {
    __shared__ alignas(128) unsigned words[tile];
    __shared__ std::uint64_t arrived;
    constexpr std::uint32_t bytes = sizeof words;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);  // a precaution
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words,
                           in + blockIdx.x * tile, bytes, &arrived);
    }
    __syncthreads();  // the barrier is initialized
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] += 1;
    if (fenced) ptx::fence_proxy_async(ptx::space_shared);  // each thread, for its own
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                           out + blockIdx.x * tile, words, bytes);
        ptx::cp_async_bulk_commit_group();
        // shared memory must outlive the copy
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
// [/tma]

// [stas]
/// Adds 1 to a tile: STAS sends each number to the other block of a cluster of two.
/// @param in   one tile for each block in device memory
/// @param out  one tile for each block in device memory, written: that of the other
///             block
__global__ void __cluster_dims__(2) by_stas(const unsigned* in, unsigned* out) {
    __shared__ alignas(16) unsigned words[tile];
    __shared__ std::uint64_t arrived;
    constexpr std::uint32_t bytes = sizeof words;
    const auto cluster = cooperative_groups::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, bytes);
    }
    cluster.sync();  // both barriers are initialized
    unsigned* their_words = cluster.map_shared_rank(words, other);
    std::uint64_t* their_barrier = cluster.map_shared_rank(&arrived, other);
    for (int i = threadIdx.x; i < tile; i += block_size)
        ptx::st_async(their_words + i, in[blockIdx.x * tile + i] + 1, their_barrier);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                          &arrived, 0)) {
    }
    for (int i = threadIdx.x; i < tile; i += block_size)
        out[blockIdx.x * tile + i] = words[i];
    cluster.sync();  // a block must not end while the other sends to it
}
// [/stas]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = 2 * options.integer("clusters", 4096, 1, 100'000);
    const bool unfenced = options.flag("unfenced");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> in(std::size_t(blocks) * tile);
    std::vector<unsigned> expected(in.size());
    std::vector<unsigned> swapped(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<unsigned>(i) * 7;
        expected[i] = in[i] + 1;
    }
    for (std::size_t i = 0; i < in.size(); ++i)
        swapped[i] = expected[(i / tile ^ 1) * tile + i % tile];
    const lockstep::device_buffer<unsigned> d_in(in);
    lockstep::device_buffer<unsigned> d_out(in.size());
    const auto run = [&](auto kernel, const std::vector<unsigned>& right) {
        d_out.fill_bytes(0xFF);
        kernel<<<blocks, block_size>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        return lockstep::count_mismatches(d_out.to_host(), right);
    };
    if (unfenced) {
        const auto wrong = static_cast<long long>(run(by_tma<false>, expected));
        lockstep::report("TMA, no fence: wrong words", lockstep::counted{wrong});
        return EXIT_SUCCESS;
    }
    const std::size_t ldgsts = run(by_ldgsts, expected);
    const std::size_t tma = run(by_tma<true>, expected);
    const std::size_t stas = run(by_stas, swapped);
    lockstep::report("LDGSTS: wrong words", ldgsts);
    lockstep::report("TMA: wrong words", tma);
    lockstep::report("STAS: wrong words", stas);
    return ldgsts + tma + stas == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
