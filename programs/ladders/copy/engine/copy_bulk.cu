// Copy, rung 5: can a kernel copy without loading the data into registers? Bulk copies
// of Hopper move kilobytes by one instruction, from global to shared memory and back.
// One thread of each block issues them.

#include <cstddef>
#include <cstdint>

#include <cuda/ptx>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

namespace ptx = cuda::ptx;

constexpr int stages = 4;
constexpr int tile_bytes = 16 * 1024;
constexpr int shared_bytes = stages * tile_bytes;

// [kernel]
/// Copies tiles through a ring of buffers in shared memory. One warp; its first lane
/// does the work.
/// @param bytes  number of bytes, a multiple of 16
/// @param from   array in device memory, aligned to 16 bytes
/// @param to     array in device memory, aligned to 16 bytes
__global__ void copy_bulk(std::size_t bytes, const char* from, char* to) {
    extern __shared__ __align__(128) char ring[];
    __shared__ std::uint64_t arrived[stages];
    if (threadIdx.x != 0) return;
    for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);  // a precaution

    const std::size_t tiles = (bytes + tile_bytes - 1) / tile_bytes;
    const auto size = [&](std::size_t tile) {
        return static_cast<std::uint32_t>(
            min(bytes - tile * tile_bytes, std::size_t(tile_bytes)));
    };
    const auto fetch = [&](std::size_t tile, int stage) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived[stage], size(tile));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,
                           ring + stage * tile_bytes, from + tile * tile_bytes,
                           size(tile), &arrived[stage]);
    };
    // [/kernel]
    // [loop]
    int count = 0;
    for (int stage = 0; stage < stages - 1; ++stage)
        if (blockIdx.x + stage * std::size_t(gridDim.x) < tiles)
            fetch(blockIdx.x + stage * std::size_t(gridDim.x), stage);
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int stage = count % stages;
        while (!ptx::mbarrier_try_wait_parity(&arrived[stage], count / stages % 2)) {
        }
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to + tile * tile_bytes,
                           ring + stage * tile_bytes, size(tile));
        ptx::cp_async_bulk_commit_group();
        const std::size_t next = tile + (stages - 1) * std::size_t(gridDim.x);
        if (next < tiles) {
            // all stores but the newest have read their buffers
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
            fetch(next, (count + stages - 1) % stages);
        }
        ++count;
    }
    // shared memory must outlive the last store
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
// [/loop]

// [rest]
/// Copies what does not fill 16 bytes.
/// @param n     number of words, fewer than 4
/// @param from  n words in device memory
/// @param to    n words in device memory
__global__ void copy_rest(int n, const std::uint32_t* from, std::uint32_t* to) {
    if (threadIdx.x < n) to[threadIdx.x] = from[threadIdx.x];
}
// [/rest]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaFuncSetAttribute(
        copy_bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    const std::size_t rest = n % 4;
    if (n >= 4)
        copy_bulk<<<sms * 3, 32, shared_bytes>>>((n - rest) * sizeof(std::uint32_t),
                                                 reinterpret_cast<const char*>(from),
                                                 reinterpret_cast<char*>(to));
    lockstep::check(cudaGetLastError());
    if (rest)
        copy_rest<<<1, 4>>>(static_cast<int>(rest), from + n - rest, to + n - rest);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "bulk copies", 90, copy);
}
