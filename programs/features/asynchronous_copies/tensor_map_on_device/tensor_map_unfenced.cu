// What if a kernel changes a tensor map without the fences? Each block copies a tile
// with its map, lets the map point to other data, and copies again. Ordinary stores,
// even with a memory fence, need not reach the path by which TMA reads a map: a block
// may copy with the old one. With release and acquire it copies with the new one.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int blocks = 132;  // one for each SM of an H200
constexpr int tile_size = 256;

/// Copies the tile that a map describes, and waits for it; all threads of the block.
/// @param map      in device memory
/// @param parity   of the barrier's phase
/// @param tile     in shared memory, written
/// @param arrived  an initialized barrier, which expects one arrival
__device__ void copy_tile(const CUtensorMap* map, int parity, int (&tile)[tile_size],
                          std::uint64_t* arrived) {
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, arrived, sizeof tile);
        const std::int32_t corner[] = {0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &tile, map,
                                  corner, arrived);
    }
    lockstep::await_phase(arrived, parity);
}

/// Copies a tile, changes the map, copies again.
/// @param fenced   whether to publish the new map as it must be
/// @param changed  tile_size ints in device memory, which the map is to describe
/// @param maps     one for each block in device memory
/// @param found    for each block an element of each of its two tiles, written
__global__ void change_map(bool fenced, const int* changed, CUtensorMap* maps,
                           int2* found) {
    __shared__ alignas(128) CUtensorMap shared_map;
    __shared__ alignas(128) int tile[tile_size];
    __shared__ std::uint64_t arrived;
    CUtensorMap* map = maps + blockIdx.x;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_sys, map,
                                           ptx::n32_t<128>());
    }
    __syncthreads();
    copy_tile(map, 0, tile, &arrived);
    const int before = tile[0];
    __syncthreads();  // all have read the tile
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            shared_map = *map;
            ptx::tensormap_replace_global_address(ptx::space_shared, &shared_map,
                                                  changed);
        }
        __syncwarp();
        // [publish]
        if (fenced) {
            ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, map,
                                         &shared_map, ptx::n32_t<128>());
            ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map,
                                               ptx::n32_t<128>());
        } else {
            const int word = reinterpret_cast<const int*>(&shared_map)[threadIdx.x];
            reinterpret_cast<int*>(map)[threadIdx.x] = word;
            __threadfence();
            __syncwarp();
        }
        // [/publish]
    }
    copy_tile(map, 1, tile, &arrived);
    if (threadIdx.x == 0) found[blockIdx.x] = {before, tile[0]};
}

int main() {
    lockstep::require_device(90);

    const std::vector<int> old_data(tile_size, 1), new_data(tile_size, 2);
    lockstep::device_buffer<int> d_old(old_data), d_new(new_data);
    const cuuint64_t sizes[] = {tile_size};
    const cuuint32_t box[] = {tile_size};
    const std::vector<CUtensorMap> maps(
        blocks, lockstep::describe_tiles(d_old.data(), sizes, box));
    bool right = true;
    for (const bool fenced : {true, false}) {
        lockstep::device_buffer<CUtensorMap> d_maps(maps);
        lockstep::device_buffer<int2> d_found(blocks);
        d_found.fill_bytes(0);
        change_map<<<blocks, 128>>>(fenced, d_new.data(), d_maps.data(),
                                    d_found.data());
        lockstep::check(cudaGetLastError());
        int stale = 0;
        for (const int2& tile : d_found.to_host()) {
            right = right && tile.x == 1 && (tile.y == 1 || tile.y == 2);
            stale += tile.y == 1;
        }
        if (fenced) {
            right = right && stale == 0;
            lockstep::report("fenced, copies by old map", stale);
        } else {
            lockstep::report("unfenced, copies by old map", lockstep::counted{stale});
        }
    }
    lockstep::report("blocks", blocks);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
