// Scan, rung 6: must tiles wait for one another in a chain? Here all blocks are
// resident and process the array in rounds. Each block publishes the sum of its tile
// one round before other blocks need it, and adds up all published sums of the round
// itself. The loads of the next tiles are in flight meanwhile.

#include <cstddef>
#include <cstdint>

#include <cuda/atomic>
#include <cuda/ptx>

#include <lockstep/check.hpp>
#include <lockstep/ladders/scan.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 512;
constexpr int chunks = 8;  // of four words, for each thread
constexpr int per_tile = 4 * chunks * block_size;
constexpr int tile_bytes = per_tile * sizeof(std::uint32_t);
constexpr int stages = 3;  // one tile in use, the next one summed up, one on its way
constexpr int shared_bytes = stages * tile_bytes;
constexpr int warps = block_size / 32;

// [state]
/// What a tile has announced: 1 in the upper half when it has, its sum in the lower.
/// One 64-bit word, so that a reader sees both halves or neither, and no other memory
/// needs to be ordered.
using announcement = unsigned long long;
constexpr announcement announced = 1ull << 32;
// [/state]

// [ring]
/// Tiles on their way through shared memory, by bulk copies.
struct ring {
    std::uint64_t* arrived;  ///< one barrier for each stage
    uint4* words;  ///< stages tiles
    const std::uint32_t* x;  ///< the array in device memory, aligned to 16 bytes
    std::size_t tiles;  ///< whole tiles of the array

    /// Starts to fetch the tile of a round; one thread does.
    __device__ void fetch(int round) const {
        const std::size_t tile = round * std::size_t(gridDim.x) + blockIdx.x;
        if (tile >= tiles) return;
        std::uint64_t* barrier = arrived + round % stages;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, barrier, tile_bytes);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global,
                           words + round % stages * (tile_bytes / 16),
                           x + tile * per_tile, tile_bytes, barrier);
    }

    /// Waits until the tile of a round is there.
    __device__ void wait(int round) const {
        while (!ptx::mbarrier_try_wait_parity(arrived + round % stages,
                                              round / stages % 2)) {
        }
    }

    /// A chunk of four words of this thread.
    __device__ uint4 chunk(int round, int i) const {
        return words[round % stages * (tile_bytes / 16) +
                     threadIdx.x / 32 * (32 * chunks) + i * 32 + threadIdx.x % 32];
    }
};
// [/ring]

// [announce]
/// Adds up the tile of a round and announces its sum. Contains a barrier.
/// @param r         the tiles
/// @param round     which round
/// @param of_warps  one word for each warp in shared memory, written
/// @param states    one announcement for each tile in device memory
__device__ void announce(const ring& r, int round, std::uint32_t* of_warps,
                         announcement* states) {
    const std::size_t tile = round * std::size_t(gridDim.x) + blockIdx.x;
    const int lane = threadIdx.x % 32;
    std::uint32_t sum = 0;
    if (tile < r.tiles) {
        r.wait(round);
#pragma unroll
        for (int i = 0; i < chunks; ++i) {
            const uint4 w = r.chunk(round, i);
            sum += w.x + w.y + w.z + w.w;
        }
    }
    sum = __reduce_add_sync(0xFFFFFFFF, sum);
    if (lane == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32 || tile >= r.tiles) return;
    sum = __reduce_add_sync(0xFFFFFFFF, lane < warps ? of_warps[lane] : 0);
    if (lane == 0)
        cuda::atomic_ref<announcement, cuda::thread_scope_device>(states[tile])
            .store(announced | sum, cuda::memory_order_relaxed);
}
// [/announce]

// [kernel]
/// Inclusive sums of all whole tiles, in rounds; all blocks must run at once.
/// @param tiles   number of tiles
/// @param x       tiles * per_tile words in device memory, aligned to 16 bytes
/// @param sums    tiles * per_tile words in device memory, aligned to 16 bytes
/// @param states  one announcement for each tile in device memory, all zero
/// @param total   one word in device memory: the sum of everything
__global__ void __launch_bounds__(block_size)
    scan_rounds(std::size_t tiles, const std::uint32_t* x, std::uint32_t* sums,
                announcement* states, std::uint32_t* total) {
    extern __shared__ __align__(128) uint4 words[];
    __shared__ std::uint64_t arrived[stages];
    // sums of the tile of this round and of the next one
    __shared__ std::uint32_t of_warps[2][warps];
    __shared__ std::uint32_t below[warps];
    __shared__ std::uint32_t all[warps];
    const ring r{arrived, words, x, tiles};
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        for (int round = 0; round < stages; ++round) r.fetch(round);
    }
    __syncthreads();
    announce(r, 0, of_warps[0], states);
    std::uint32_t carry = 0;  // sum of all rounds before, known to every thread
    // [/kernel]
    // [round]
    for (int round = 0; round * std::size_t(gridDim.x) < tiles; ++round) {
        const std::size_t first = round * std::size_t(gridDim.x);
        const bool mine = first + blockIdx.x < tiles;
        announce(r, round + 1, of_warps[(round + 1) % 2], states);

        std::uint32_t low = 0;  // what blocks before this one announced for this round
        std::uint32_t sum = 0;  // what all blocks did
        for (unsigned block = threadIdx.x; block < gridDim.x && first + block < tiles;
             block += block_size) {
            const cuda::atomic_ref<announcement, cuda::thread_scope_device> state(
                states[first + block]);
            announcement found = 0;
            while (found < announced) found = state.load(cuda::memory_order_relaxed);
            sum += static_cast<std::uint32_t>(found);
            if (block < blockIdx.x) low += static_cast<std::uint32_t>(found);
        }
        low = __reduce_add_sync(0xFFFFFFFF, low);
        sum = __reduce_add_sync(0xFFFFFFFF, sum);
        if (lane == 0) {
            below[warp] = low;
            all[warp] = sum;
        }

        // [/round]
        // [scan-tile]
        uint4 w[chunks] = {};
        std::uint32_t upto[chunks];
#pragma unroll
        for (int i = 0; i < chunks; ++i) {
            if (mine) w[i] = r.chunk(round, i);
            w[i].y += w[i].x;
            w[i].z += w[i].y;
            w[i].w += w[i].z;
            upto[i] = w[i].w;
        }
#pragma unroll
        for (int width = 1; width < 32; width *= 2) {
#pragma unroll
            for (int i = 0; i < chunks; ++i) {
                const std::uint32_t left = __shfl_up_sync(0xFFFFFFFF, upto[i], width);
                if (lane >= width) upto[i] += left;
            }
        }
        const std::uint32_t warps_before =
            __reduce_add_sync(0xFFFFFFFF, lane < warp ? of_warps[round % 2][lane] : 0);
        // [/scan-tile]
        // [write]
        // all have read the stage, and the sums of the round are there
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::fence_proxy_async(ptx::space_shared);
            r.fetch(round + stages);
        }
        std::uint32_t run =
            carry + warps_before +
            __reduce_add_sync(0xFFFFFFFF, lane < warps ? below[lane] : 0);
        carry += __reduce_add_sync(0xFFFFFFFF, lane < warps ? all[lane] : 0);
        auto* out = reinterpret_cast<uint4*>(sums + (first + blockIdx.x) * per_tile) +
                    warp * (32 * chunks) + lane;
#pragma unroll
        for (int i = 0; i < chunks; ++i) {
            const std::uint32_t add = run + upto[i] - w[i].w;
            if (mine)
                out[i * 32] = {w[i].x + add, w[i].y + add, w[i].z + add, w[i].w + add};
            run += __shfl_sync(0xFFFFFFFF, upto[i], 31);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *total = carry;
}
// [/write]

// [rest]
/// Inclusive sums of what does not fill a tile; one block.
/// @param n      number of elements, fewer than per_tile
/// @param x      n words in device memory
/// @param total  one word in device memory: the sum of everything before; 0 if there is
///               nothing
/// @param sums   n words in device memory
__global__ void scan_rest(int n, const std::uint32_t* x, const std::uint32_t* total,
                          std::uint32_t* sums) {
    __shared__ std::uint32_t of_warps[warps];
    std::uint32_t before = *total;
    for (int first = 0; first < n; first += block_size) {
        const int i = first + threadIdx.x;
        std::uint32_t word = i < n ? x[i] : 0;
        for (int width = 1; width < 32; width *= 2) {
            const std::uint32_t left = __shfl_up_sync(0xFFFFFFFF, word, width);
            if (threadIdx.x % 32 >= width) word += left;
        }
        if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = word;
        __syncthreads();
        std::uint32_t lower = 0;
        std::uint32_t round = 0;
        for (int warp = 0; warp < warps; ++warp) {
            if (warp < threadIdx.x / 32) lower += of_warps[warp];
            round += of_warps[warp];
        }
        if (i < n) sums[i] = before + lower + word;
        before += round;
        __syncthreads();  // read before overwritten
    }
}
// [/rest]

// [launch]
/// Enqueues the inclusive sums of n words. The launch is cooperative: it fails unless
/// all blocks run at once.
void scan(std::size_t n, const std::uint32_t* x, std::uint32_t* sums,
          std::uint32_t* scratch) {
    int blocks = 0;
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaFuncSetAttribute(
        scan_rounds, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    std::size_t tiles = n / per_tile;
    auto* states = reinterpret_cast<announcement*>(scratch);
    auto* total = reinterpret_cast<std::uint32_t*>(states + tiles);
    lockstep::check(
        cudaMemsetAsync(states, 0, tiles * sizeof(announcement) + sizeof *total));
    void* parameters[] = {&tiles, &x, &sums, &states, &total};
    lockstep::check(cudaLaunchCooperativeKernel(scan_rounds, blocks, block_size,
                                                parameters, shared_bytes, nullptr));
    const std::size_t done = tiles * per_tile;
    if (done < n)
        scan_rest<<<1, block_size>>>(static_cast<int>(n - done), x + done, total,
                                     sums + done);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_scan(argc, argv, "rounds of tiles", 90, scan);
}
