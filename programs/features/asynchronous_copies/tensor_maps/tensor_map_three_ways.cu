// How does a tensor map reach the kernel? As a parameter that is declared
// __grid_constant__, in constant memory, or in global memory. The first two need
// nothing else. In global memory it is data that the host has written, and a fence must
// come between that write and the copy that reads the map. Each block copies one tile.

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int tile = 32;  // columns, rows
constexpr int tiles = 8;  // in a row of the matrix, and in a column
constexpr int n = tile * tiles;

/// Copies this block's tile and notes how long that took.
/// @param map     describes the matrix
/// @param begin   clock64() at the beginning of the kernel
/// @param out     n x n ints in device memory: the matrix, tile by tile
/// @param cycles  one for each block in device memory
__device__ void copy_tile(const CUtensorMap* map, long long begin, int* out,
                          long long* cycles) {
    __shared__ alignas(128) int shared[tile * tile];
    __shared__ std::uint64_t arrived;
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        const std::int32_t corner[] = {static_cast<int>(blockIdx.x) * tile,
                                       static_cast<int>(blockIdx.y) * tile};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof shared);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, shared, map,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    if (threadIdx.x == 0) cycles[block] = clock64() - begin;
    for (int i = threadIdx.x; i < tile * tile; i += blockDim.x)
        out[block * tile * tile + i] = shared[i];
}

// [parameter]
/// The map is a parameter; the compiler makes no copy of it.
/// @param map          describes the matrix
/// @param out, cycles  of copy_tile
__global__ void by_parameter(const __grid_constant__ CUtensorMap map, int* out,
                             long long* cycles) {
    copy_tile(&map, clock64(), out, cycles);
}
// [/parameter]

// [constant]
__constant__ CUtensorMap constant_map;

/// The map is in constant memory.
/// @param out, cycles  of copy_tile
__global__ void by_constant(int* out, long long* cycles) {
    copy_tile(&constant_map, clock64(), out, cycles);
}
// [/constant]

// [global]
/// The map is in global memory, where the host has written it.
/// @param map          describes the matrix, in device memory, aligned as its type
/// @param out, cycles  of copy_tile
__global__ void by_pointer(const CUtensorMap* map, int* out, long long* cycles) {
    const long long begin = clock64();
    if (threadIdx.x == 0)
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map,
                                           ptx::n32_t<sizeof(CUtensorMap)>());
    copy_tile(map, begin, out, cycles);
}
// [/global]

int main() {
    lockstep::require_device(90);

    std::vector<int> x(n * n), expected(n * n);
    for (int i = 0; i < n * n; ++i) {
        x[i] = i;
        const int column = i % n, row = i / n;
        expected[((row / tile * tiles + column / tile) * tile + row % tile) * tile +
                 column % tile] = i;
    }
    lockstep::device_buffer<int> d_x(x), d_out(n * n);
    lockstep::device_buffer<long long> d_cycles(tiles * tiles);
    const cuuint64_t sizes[] = {n, n};
    const cuuint32_t box[] = {tile, tile};
    const CUtensorMap map = lockstep::describe_tiles(d_x.data(), sizes, box);

    // [copies]
    lockstep::check(cudaMemcpyToSymbol(constant_map, &map, sizeof map));
    const lockstep::device_buffer<CUtensorMap> d_map(std::vector<CUtensorMap>{map});
    // [/copies]
    const dim3 grid(tiles, tiles);
    const auto verify = [&](const char* label, const std::function<void()>& launch) {
        std::vector<double> median;
        for (int round = 0; round < 25; ++round) {
            d_out.fill_bytes(0xFF);
            launch();
            lockstep::check(cudaGetLastError());
            const std::vector<long long> cycles = d_cycles.to_host();
            median.push_back(
                lockstep::summarize({cycles.begin(), cycles.end()}).median_ms);
        }
        const bool right = d_out.to_host() == expected;
        lockstep::report((std::string(label) + ", right").c_str(), right);
        lockstep::report((std::string(label) + ", copy").c_str(),
                         lockstep::measured{lockstep::summarize(median).median_ms},
                         "cycles");
        return right;
    };
    // [launches]
    bool right = verify("parameter", [&] {
        by_parameter<<<grid, 128>>>(map, d_out.data(), d_cycles.data());
    });
    right &= verify("constant memory",
                    [&] { by_constant<<<grid, 128>>>(d_out.data(), d_cycles.data()); });
    right &= verify("global memory", [&] {
        by_pointer<<<grid, 128>>>(d_map.data(), d_out.data(), d_cycles.data());
    });
    // [/launches]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
