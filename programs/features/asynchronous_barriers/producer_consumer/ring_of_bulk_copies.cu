// What is the usual form of a ring of buffers? One thread starts a bulk copy of each
// tile, which signals the barrier "filled" by itself; eight warps compute, and signal
// "ready" when they have emptied a buffer. With 2, 4 and 8 buffers, compared with a
// warp that loads through registers, and with the same copies in a kernel without
// roles.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace ptx = cuda::ptx;

constexpr int workers = 256;          // threads that compute
constexpr int worker_warps = workers / 32;
constexpr int tile = workers;         // uint4 in a tile

/// A chain of multiply-adds; it is not unrolled, since the compiler would combine some.
__device__ unsigned chain(unsigned x, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) x = x * 1664525 + 1013904223;
    return x;
}

/// What becomes of the four words that a thread takes from a tile.
__device__ unsigned result_of(uint4 four, int work) {
    return chain(four.x ^ four.y ^ four.z ^ four.w, work);
}

// [helpers]
/// Waits until the phase of a parity is complete, and stops the kernel rather than wait
/// forever.
__device__ void wait_for(std::uint64_t& barrier, unsigned parity) {
    for (int attempt = 0; !ptx::mbarrier_try_wait_parity(&barrier, parity); ++attempt)
        if (attempt == 10'000'000) __trap();
}

/// The lanes of a warp come together, and lane 0 arrives for all.
__device__ void arrive_as_warp(std::uint64_t& barrier) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) static_cast<void>(ptx::mbarrier_arrive(&barrier));
}
// [/helpers]

// [copy]
/// Starts the bulk copy of a tile, as the one arrival that `filled` expects.
__device__ void copy_tile(uint4* buffer, const uint4* from, std::uint64_t* filled) {
    constexpr std::uint32_t bytes = tile * sizeof(uint4);
    static_cast<void>(ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                                     ptx::space_shared, filled, bytes));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, buffer, from, bytes,
                       filled);
}
// [/copy]

// [ring]
/// One thread copies, eight warps compute; two barriers for each buffer.
/// @tparam stages  number of buffers
/// @param tiles    tiles of each block
/// @param work     multiply-adds of each computing thread for each tile
/// @param in       gridDim.x * tiles * tile uint4 in device memory
/// @param sums     one unsigned for each computing thread in device memory, written
template <int stages>
__global__ void ring(int tiles, int work, const uint4* in, unsigned* sums) {
    __shared__ alignas(128) uint4 buffers[stages][tile];
    __shared__ std::uint64_t ready[stages], filled[stages];
    const int t = threadIdx.x;
    if (t < stages) {
        ptx::mbarrier_init(&ready[t], worker_warps);
        ptx::mbarrier_init(&filled[t], 1);
        ptx::fence_proxy_async(ptx::space_shared);  // a precaution
    }
    __syncthreads();
    in += std::size_t(blockIdx.x) * tiles * tile;
    if (t == workers) {  // the first thread of the ninth warp
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % stages;
            wait_for(ready[stage], (i / stages + 1) % 2);  // passes in the first round
            copy_tile(buffers[stage], in + i * tile, &filled[stage]);
        }
    } else if (t < workers) {
        unsigned sum = 0;
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % stages;
            wait_for(filled[stage], i / stages % 2);
            const uint4 four = buffers[stage][tile - 1 - t];
            arrive_as_warp(ready[stage]);
            sum += result_of(four, work);
        }
        sums[blockIdx.x * workers + t] = sum;
    }
}
// [/ring]

// [meet]
/// The same copies without roles: all threads meet when a buffer is empty, and one of
/// them starts the next copy into it.
/// @tparam stages  number of buffers
/// @param tiles    tiles of each block
/// @param work     multiply-adds of each thread for each tile
/// @param in       gridDim.x * tiles * tile uint4 in device memory
/// @param sums     one unsigned for each thread in device memory, written
template <int stages>
__global__ void meet(int tiles, int work, const uint4* in, unsigned* sums) {
    __shared__ alignas(128) uint4 buffers[stages][tile];
    __shared__ std::uint64_t filled[stages];
    const int t = threadIdx.x;
    if (t < stages) {
        ptx::mbarrier_init(&filled[t], 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    in += std::size_t(blockIdx.x) * tiles * tile;
    const auto fetch = [&](int i) {
        if (t == 0 && i < tiles)
            copy_tile(buffers[i % stages], in + i * tile, &filled[i % stages]);
    };
    for (int i = 0; i < stages; ++i) fetch(i);
    unsigned sum = 0;
    for (int i = 0; i < tiles; ++i) {
        wait_for(filled[i % stages], i / stages % 2);
        const uint4 four = buffers[i % stages][tile - 1 - t];
        __syncthreads();  // the buffer is empty again
        fetch(i + stages);
        sum += result_of(four, work);
    }
    sums[blockIdx.x * workers + t] = sum;
}
// [/meet]

/// A warp loads tiles through its registers into two buffers, the others compute.
/// @param tiles  tiles of each block
/// @param work   multiply-adds of each computing thread for each tile
/// @param in     gridDim.x * tiles * tile uint4 in device memory
/// @param sums   one unsigned for each computing thread in device memory, written
__global__ void ring_through_registers(int tiles, int work, const uint4* in,
                                       unsigned* sums) {
    constexpr int two = 2;
    __shared__ std::uint64_t ready[two], filled[two];
    __shared__ uint4 buffers[two][tile];
    const int t = threadIdx.x;
    if (t < two) {
        ptx::mbarrier_init(&ready[t], worker_warps);  // only the other side arrives
        ptx::mbarrier_init(&filled[t], 1);
    }
    __syncthreads();
    in += std::size_t(blockIdx.x) * tiles * tile;
    if (t >= workers) {
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % two;
            uint4 part[tile / 32];
            for (int k = 0; k < tile / 32; ++k)
                part[k] = in[i * tile + 32 * k + t % 32];
            wait_for(ready[stage], (i / two + 1) % 2);  // passes in the first round
            for (int k = 0; k < tile / 32; ++k)
                buffers[stage][32 * k + t % 32] = part[k];
            arrive_as_warp(filled[stage]);
        }
    } else {
        unsigned sum = 0;
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % two;
            wait_for(filled[stage], i / two % 2);
            const uint4 four = buffers[stage][tile - 1 - t];
            arrive_as_warp(ready[stage]);
            sum += result_of(four, work);
        }
        sums[blockIdx.x * workers + t] = sum;
    }
}

/// A way to work through the tiles.
struct way {
    const char* name;  ///< with the number of its buffers
    void (*kernel)(int, int, const uint4*, unsigned*);
    int block_size;
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 200, 1, 1000);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    std::vector<uint4> in(std::size_t(blocks) * tiles * tile);
    for (unsigned i = 0; i < in.size(); ++i) in[i] = {i, 3 * i, 5 * i, i ^ 7};
    const lockstep::device_buffer<uint4> d_in(in);
    lockstep::device_buffer<unsigned> d_sums(std::size_t(blocks) * workers);

    const way ways[] = {{"registers, 2", ring_through_registers, workers + 32},
                        {"no roles, 2", meet<2>, workers},
                        {"no roles, 8", meet<8>, workers},
                        {"ring, 2", ring<2>, workers + 32},
                        {"ring, 4", ring<4>, workers + 32},
                        {"ring, 8", ring<8>, workers + 32}};
    constexpr std::size_t count = sizeof ways / sizeof ways[0];
    lockstep::csv_file series(csv, "how,work,~ns");
    std::size_t wrong = 0;
    std::printf(
        "time of a tile, by multiply-adds of a thread (work), and by buffers\n");
    std::printf("%5s", "work");
    for (const way& one : ways) std::printf("%13s", one.name);
    std::printf("\n");
    for (const int work : {0, 10, 25, 40, 50, 100, 200}) {
        const auto launch = [&](std::size_t which) {
            ways[which].kernel<<<blocks, ways[which].block_size>>>(
                tiles, work, d_in.data(), d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        std::vector<unsigned> sums(d_sums.size());
        for (std::size_t i = 0; i < sums.size() && work == 0; ++i)
            for (int k = 0; k < tiles; ++k) {
                const uint4 four =
                    in[(i / workers * tiles + k) * tile + tile - 1 - i % workers];
                sums[i] += four.x ^ four.y ^ four.z ^ four.w;
            }
        for (std::size_t which = 0; which < count; ++which) {
            d_sums.fill_bytes(0xFF);
            launch(which);
            if (which == 0 && work > 0) sums = d_sums.to_host();
            wrong += lockstep::count_mismatches(d_sums.to_host(), sums);
        }
        const auto times = lockstep::time_in_turns(count, launch);
        std::printf("%5d", work);
        for (std::size_t which = 0; which < count; ++which) {
            const double ns = 1e6 * times[which].median_ms / tiles;
            series.row("\"%s\",%d,%.1f", ways[which].name, work, ns);
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f ns", ns);
            std::printf("%13s", text);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
