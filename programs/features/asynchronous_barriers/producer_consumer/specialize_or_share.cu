// What does it gain if one warp loads the next tile while the others compute? Most, if
// both take about as long. Compared with two kernels without roles: all warps load a
// tile and then compute it, or load a tile ahead. The second one overlaps as well, so
// it separates the gain of the overlap from that of the roles: the gain comes from the
// overlap.

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
constexpr int stages = 2;

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

// [share]
/// All warps load each tile, and all compute it; a thread takes what another one
/// loaded.
/// @param tiles  tiles of each block
/// @param work   multiply-adds of each thread for each tile
/// @param in     gridDim.x * tiles * tile uint4 in device memory
/// @param sums   one unsigned for each thread in device memory, written
__global__ void share(int tiles, int work, const uint4* in, unsigned* sums) {
    __shared__ uint4 buffer[tile];
    const int t = threadIdx.x;
    in += std::size_t(blockIdx.x) * tiles * tile;
    unsigned sum = 0;
    for (int i = 0; i < tiles; ++i) {
        buffer[t] = in[i * tile + t];
        __syncthreads();
        sum += result_of(buffer[tile - 1 - t], work);
        __syncthreads();  // the buffer is empty again
    }
    sums[blockIdx.x * workers + t] = sum;
}
// [/share]

// [ahead]
/// The same, but while a tile is computed the next one is on its way to registers.
/// @param tiles  tiles of each block
/// @param work   multiply-adds of each thread for each tile
/// @param in     gridDim.x * tiles * tile uint4 in device memory
/// @param sums   one unsigned for each thread in device memory, written
__global__ void ahead(int tiles, int work, const uint4* in, unsigned* sums) {
    __shared__ uint4 buffers[2][tile];
    const int t = threadIdx.x;
    in += std::size_t(blockIdx.x) * tiles * tile;
    unsigned sum = 0;
    uint4 next = in[t];
    for (int i = 0; i < tiles; ++i) {
        uint4* buffer = buffers[i % 2];
        buffer[t] = next;
        __syncthreads();  // and all have read the other buffer
        if (i + 1 < tiles) next = in[(i + 1) * tile + t];
        sum += result_of(buffer[tile - 1 - t], work);
    }
    sums[blockIdx.x * workers + t] = sum;
}
// [/ahead]

// [helpers]
/// Waits until the phase of a parity is complete.
__device__ void wait_for(std::uint64_t& barrier, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(&barrier, parity)) {
    }
}

/// The lanes of a warp come together, and lane 0 arrives for all.
__device__ void arrive_as_warp(std::uint64_t& barrier) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) static_cast<void>(ptx::mbarrier_arrive(&barrier));
}
// [/helpers]

// [specialize]
/// The last warp loads, the others compute; two barriers for each buffer.
/// @param tiles  tiles of each block
/// @param work   multiply-adds of each computing thread for each tile
/// @param in     gridDim.x * tiles * tile uint4 in device memory
/// @param sums   one unsigned for each computing thread in device memory, written
__global__ void specialize(int tiles, int work, const uint4* in, unsigned* sums) {
    __shared__ std::uint64_t ready[stages], filled[stages];
    __shared__ uint4 buffers[stages][tile];
    const int t = threadIdx.x;
    if (t < stages) {
        ptx::mbarrier_init(&ready[t], worker_warps);  // only the other side arrives
        ptx::mbarrier_init(&filled[t], 1);
    }
    __syncthreads();
    in += std::size_t(blockIdx.x) * tiles * tile;
    if (t >= workers) {
        for (int i = 0; i < tiles; ++i) {
            const int stage = i % stages;
            uint4 part[tile / 32];
            for (int k = 0; k < tile / 32; ++k)
                part[k] = in[i * tile + 32 * k + t % 32];
            wait_for(ready[stage], (i / stages + 1) % 2);  // passes in the first round
            for (int k = 0; k < tile / 32; ++k)
                buffers[stage][32 * k + t % 32] = part[k];
            arrive_as_warp(filled[stage]);
        }
    } else {
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
// [/specialize]

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
    lockstep::csv_file series(csv, "warps,work,~ns");
    std::size_t wrong = 0;
    std::printf("time of a tile, by the multiply-adds of a thread for it\n");
    const char* names[] = {"all load", "all load ahead", "one warp loads"};
    std::printf("%14s%16s%16s%16s\n", "multiply-adds", names[0], names[1], names[2]);
    for (const int work : {0, 5, 10, 25, 30, 35, 40, 50, 100, 200, 400}) {
        const auto launch = [&](std::size_t kernel) {
            if (kernel == 0)
                share<<<blocks, workers>>>(tiles, work, d_in.data(), d_sums.data());
            else if (kernel == 1)
                ahead<<<blocks, workers>>>(tiles, work, d_in.data(), d_sums.data());
            else
                specialize<<<blocks, workers + 32>>>(tiles, work, d_in.data(),
                                                     d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        std::vector<unsigned> sums(d_sums.size());
        for (std::size_t i = 0; i < sums.size() && work == 0; ++i)
            for (int k = 0; k < tiles; ++k) {
                const uint4 four =
                    in[(i / workers * tiles + k) * tile + tile - 1 - i % workers];
                sums[i] += four.x ^ four.y ^ four.z ^ four.w;
            }
        for (const std::size_t kernel : {0, 1, 2}) {
            d_sums.fill_bytes(0xFF);
            launch(kernel);
            if (kernel == 0 && work > 0) sums = d_sums.to_host();
            wrong += lockstep::count_mismatches(d_sums.to_host(), sums);
        }
        const auto times = lockstep::time_in_turns(3, launch);
        char text[3][24];
        for (const int kernel : {0, 1, 2}) {
            const double ns = 1e6 * times[kernel].median_ms / tiles;
            series.row("%s,%d,%.1f", names[kernel], work, ns);
            std::snprintf(text[kernel], sizeof text[kernel], "~%.0f ns", ns);
        }
        std::printf("%14d%16s%16s%16s\n", work, text[0], text[1], text[2]);
    }
    series.finish();
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
