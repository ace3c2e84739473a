// A warp loads a tile with two halos: 8 + 32 + 8 elements from three arrays, under
// conditions. How many of the three loads are in flight at once? Asynchronous copies
// need no register and no store, so nothing makes one of them wait for another.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline_primitives.h>
#include <cuda/barrier>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace cg = cooperative_groups;

constexpr int center = 32, halo = 8;

/// The sum of 17 neighbors.
__device__ int stencil(const int* words) {
    int sum = 0;
    for (int i = 0; i <= 2 * halo; ++i) sum += words[threadIdx.x + i];
    return sum;
}

// [plain]
/// Loads into registers, and stores to shared memory.
__device__ void load(int* words, const int* left, const int* middle, const int* right) {
    const int t = threadIdx.x;
    if (t < halo)
        words[t] = left[t];
    else if (t >= center - halo)
        words[t + 2 * halo] = right[t - (center - halo)];
    words[t + halo] = middle[t];
    __syncthreads();
}
// [/plain]

// [barrier]
/// Copies asynchronously; a barrier says when all copies have arrived.
__device__ void load(int* words, const int* left, const int* middle, const int* right,
                     cuda::barrier<cuda::thread_scope_block>& barrier) {
    const int t = threadIdx.x;
    constexpr cuda::aligned_size_t<4> one(sizeof(int));
    if (t < halo)
        cuda::memcpy_async(words + t, left + t, one, barrier);
    else if (t >= center - halo)
        cuda::memcpy_async(words + t + 2 * halo, right + t - (center - halo), one,
                           barrier);
    cuda::memcpy_async(words + t + halo, middle + t, one, barrier);
    barrier.arrive_and_wait();
}
// [/barrier]

// [group]
/// Copies asynchronously as a group; the conditions are inside the function.
__device__ void load(int* words, const int* left, const int* middle, const int* right,
                     const cg::thread_block& block) {
    cg::memcpy_async(block, words, left, halo * sizeof(int));
    cg::memcpy_async(block, words + halo, middle, center * sizeof(int));
    cg::memcpy_async(block, words + halo + center, right, halo * sizeof(int));
    cg::wait(block);
}
// [/group]

// [primitives]
/// Copies asynchronously; each thread waits for its own copies, then for the others.
__device__ void load_async(int* words, const int* left, const int* middle,
                           const int* right) {
    const int t = threadIdx.x;
    if (t < halo)
        __pipeline_memcpy_async(words + t, left + t, sizeof(int));
    else if (t >= center - halo)
        __pipeline_memcpy_async(words + t + 2 * halo, right + t - (center - halo),
                                sizeof(int));
    __pipeline_memcpy_async(words + t + halo, middle + t, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}
// [/primitives]

/// Adds up 17 neighbors of each element; one warp for each block.
/// @param x       center * (gridDim.x + 2) ints in device memory
/// @param y       center * gridDim.x ints in device memory, written
/// @param cycles  clock cycles of each block's load in device memory, written
/// @param words   room for the tile in shared memory
/// @param fill    loads the tile from three addresses
template <class Fill>
__device__ void add_neighbors(const int* x, int* y, int* cycles, int* words,
                              Fill fill) {
    const int* middle = x + (blockIdx.x + 1) * center;
    const long long begin = clock64();
    fill(middle - halo, middle, middle + center);
    const long long end = clock64();
    y[blockIdx.x * center + threadIdx.x] = stencil(words);
    if (threadIdx.x == 0) cycles[blockIdx.x] = static_cast<int>(end - begin);
}

/// add_neighbors() by plain loads and stores.
/// @param x       center * (gridDim.x + 2) ints in device memory
/// @param y       center * gridDim.x ints in device memory, written
/// @param cycles  clock cycles of each block's load in device memory, written
__global__ void by_loads(const int* x, int* y, int* cycles) {
    __shared__ alignas(16) int words[halo + center + halo];
    add_neighbors(x, y, cycles, words,
                  [&](const int* left, const int* middle, const int* right) {
                      load(words, left, middle, right);
                  });
}

/// add_neighbors() by cuda::memcpy_async and a barrier.
/// @param x       center * (gridDim.x + 2) ints in device memory
/// @param y       center * gridDim.x ints in device memory, written
/// @param cycles  clock cycles of each block's load in device memory, written
__global__ void by_barrier(const int* x, int* y, int* cycles) {
    __shared__ alignas(16) int words[halo + center + halo];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, center);
    __syncthreads();
    add_neighbors(x, y, cycles, words,
                  [&](const int* left, const int* middle, const int* right) {
                      load(words, left, middle, right, barrier);
                  });
}

/// add_neighbors() by copies of the group.
/// @param x       center * (gridDim.x + 2) ints in device memory
/// @param y       center * gridDim.x ints in device memory, written
/// @param cycles  clock cycles of each block's load in device memory, written
__global__ void by_group(const int* x, int* y, int* cycles) {
    __shared__ alignas(16) int words[halo + center + halo];
    add_neighbors(x, y, cycles, words,
                  [&](const int* left, const int* middle, const int* right) {
                      load(words, left, middle, right, cg::this_thread_block());
                  });
}

/// add_neighbors() by the primitives.
/// @param x       center * (gridDim.x + 2) ints in device memory
/// @param y       center * gridDim.x ints in device memory, written
/// @param cycles  clock cycles of each block's load in device memory, written
__global__ void by_primitives(const int* x, int* y, int* cycles) {
    __shared__ alignas(16) int words[halo + center + halo];
    add_neighbors(x, y, cycles, words,
                  [&](const int* left, const int* middle, const int* right) {
                      load_async(words, left, middle, right);
                  });
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 132, 1, 10'000);  // SMs of an H200
    options.finish();
    lockstep::require_device(80);

    std::vector<int> x(center * (blocks + 2));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 7919 % 1009);
    std::vector<int> expected(center * blocks);
    for (int i = 0; i < center * blocks; ++i)
        for (int k = -halo; k <= halo; ++k) expected[i] += x[center + i + k];
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_y(expected.size());
    lockstep::device_buffer<int> d_cycles(blocks);
    std::size_t wrong = 0;
    const auto show = [&](const char* name, auto kernel) {
        std::vector<int> samples;
        for (int run = 0; run < 22; ++run) {
            d_y.fill_bytes(0xFF);
            kernel<<<blocks, center>>>(d_x.data(), d_y.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            wrong += lockstep::count_mismatches(d_y.to_host(), expected);
            for (const int cycles : d_cycles.to_host())
                if (run > 1) samples.push_back(cycles);
        }
        const auto middle = samples.begin() + samples.size() / 2;
        std::nth_element(samples.begin(), middle, samples.end());
        lockstep::report(name, lockstep::measured{double(*middle)}, "cycles");
    };
    show("plain loads and stores", by_loads);
    show("cuda::memcpy_async", by_barrier);
    show("group memcpy_async", by_group);
    show("primitives", by_primitives);
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
