// Asynchronous barriers, pipelines, copies and tiles against their definitions.

#include <cuda.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/std/chrono>

#include <cstdint>
#include <vector>

#include "expect.hpp"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__managed__ int device_failures;
#define HOLDS(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            printf("line %d: does not hold: %s\n", __LINE__, #condition); \
            atomicAdd(&device_failures, 1);                               \
        }                                                                 \
    } while (0)

__global__ void counts() {
    __shared__ __mbarrier_t barrier;
    __mbarrier_init(&barrier, 3);
    HOLDS(!__mbarrier_test_wait_parity(&barrier, false));
    HOLDS(__mbarrier_test_wait_parity(&barrier, true));
    const __mbarrier_token_t first = ptx::mbarrier_arrive_no_complete(&barrier, 2);
    HOLDS(__mbarrier_token_pending_count(first) == 3);
    HOLDS(!__mbarrier_try_wait(&barrier, first, 100));
    const __mbarrier_token_t last = __mbarrier_arrive_and_drop(&barrier);
    HOLDS(__mbarrier_token_pending_count(last) == 1);
    HOLDS(__mbarrier_test_wait(&barrier, first));
    ptx::mbarrier_arrive(&barrier, 2);  // one arrival less since the drop
    HOLDS(ptx::mbarrier_try_wait_parity(&barrier, 1));
    __mbarrier_inval(&barrier);
}

struct adds {
    int* sum;
    int* words;
    __device__ void operator()() {
        for (int i = 0; i < 64; ++i) *sum += words[i];
    }
};
__global__ void completes() {
    using summing = cuda::barrier<cuda::thread_scope_block, adds>;
    __shared__ alignas(summing) unsigned char memory[sizeof(summing)];
    __shared__ int words[64], sum;
    static_assert(sizeof(summing) == 3 * 8 + sizeof(adds));
    static_assert(sizeof(block_barrier) == 8 && block_barrier::max() == (1 << 20) - 1);
    HOLDS(__mbarrier_maximum_count() == (1 << 14) - 1);
    auto* barrier = reinterpret_cast<summing*>(memory);
    if (threadIdx.x == 0) {
        sum = 0;
        init(barrier, 64, adds{&sum, words});
    }
    __syncthreads();
    for (int phase = 1; phase <= 3; ++phase) {
        words[threadIdx.x] = phase;
        barrier->arrive_and_wait();
        HOLDS(sum == 64 * phase * (phase + 1) / 2);
        barrier->wait(barrier->arrive());
        if (threadIdx.x == 0) sum -= 64 * phase;  // what the second completion added
        barrier->arrive_and_wait();
        if (threadIdx.x == 0) sum -= 64 * phase;
        __syncthreads();
    }
}

__device__ unsigned long long across[1];
__global__ void grid_barrier(int* seen, cuda::barrier<cuda::thread_scope_device>* all) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        init(all, 64);
        __threadfence();
        atomicExch(across, 1ULL);
    }
    while (atomicAdd(across, 0ULL) == 0) {
    }
    seen[blockIdx.x * 32 + threadIdx.x] = 1;
    all->arrive_and_wait();
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += seen[i];
    HOLDS(sum == 64);
}

__global__ void __cluster_dims__(2) arrive_at_the_other() {
    __shared__ std::uint64_t barrier;
    __shared__ int word;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 32);
    cluster.sync();
    const void* other = cluster.map_shared_rank(&word, cluster.block_rank() ^ 1);
    HOLDS(__isShared(&word) && __isClusterShared(&word));
    HOLDS(!__isShared(other) && __isClusterShared(other));
    if (threadIdx.x == 0) *cluster.map_shared_rank(&word, cluster.block_rank() ^ 1) = 7;
    __syncwarp();
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                         cluster.map_shared_rank(&barrier, cluster.block_rank() ^ 1));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
    }
    HOLDS(word == 7);
    cluster.sync();
}

__global__ void groups_of_copies(const int* in) {
    __shared__ alignas(16) int words[4][64];
    const int t = threadIdx.x;
    for (int stage = 0; stage < 4; ++stage) {
        __pipeline_memcpy_async(&words[stage][t], in + stage * 64 + t, 4, stage == 3 ? 4 : 0);
        __pipeline_commit();
    }
    __pipeline_wait_prior(2);
    HOLDS(words[0][t] == t && words[1][t] == 64 + t);
    __pipeline_wait_prior(0);
    HOLDS(words[2][t] == 128 + t && words[3][t] == 0);
    __syncthreads();
    HOLDS(words[2][t ^ 33] == 128 + (t ^ 33));
    cg::memcpy_async(cg::this_thread_block(), words[0], in + 1, sizeof words[0]);
    cg::memcpy_async(cg::this_thread_block(), words[1], in, cuda::aligned_size_t<16>(256));
    cg::wait_prior<1>(cg::this_thread_block());
    HOLDS(words[0][63 - t] == 64 - t);
    cg::wait(cg::this_thread_block());
    HOLDS(words[1][63 - t] == 63 - t);
}

template <class Make>
__device__ void run_pipeline(const int* in, int (*words)[64], int stages, Make&& make,
                             bool produces, bool consumes) {
    auto pipe = make();
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int next = 0;
    for (int tile = 0; tile < 9; ++tile) {
        if (produces)
            for (; next < 9 && next < tile + stages; ++next) {
                pipe.producer_acquire();
                if (consumes)
                    cuda::memcpy_async(cg::this_thread_block(), words[next % stages],
                                       in + next * 64, cuda::aligned_size_t<16>(256), pipe);
                else
                    cuda::memcpy_async(warp, words[next % stages], in + next * 64, 256, pipe);
                pipe.producer_commit();
            }
        if (!consumes) continue;
        pipe.consumer_wait();
        HOLDS(words[tile % stages][63 - threadIdx.x % 64] ==
              tile * 64 + 63 - int(threadIdx.x % 64));
        pipe.consumer_release();
    }
}
__global__ void unified(const int* in) {
    __shared__ alignas(16) int words[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const auto block = cg::this_thread_block();
    run_pipeline(in, words, 2, [&] { return cuda::make_pipeline(block, &state); }, true, true);
}
__global__ void partitioned(const int* in) {
    __shared__ alignas(16) int words[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    const auto block = cg::this_thread_block();
    const bool produces = threadIdx.x >= 64;
    const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto make = [&] { return cuda::make_pipeline(block, &state, role); };
    if (produces) {
        auto pipe = make();
        const auto warp = cg::tiled_partition<32>(block);
        for (int tile = 0; tile < 9; ++tile) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, words[tile % 3], in + tile * 64, 256, pipe);
            pipe.producer_commit();
        }
        pipe.quit();
    } else {
        run_pipeline(in, words, 3, make, false, true);
    }
}
__global__ void of_a_thread(const int* in) {
    __shared__ alignas(16) int words[2][64];
    auto pipe = cuda::make_pipeline();
    const int t = threadIdx.x;
    for (int stage = 0; stage < 2; ++stage) {
        pipe.producer_acquire();
        cuda::memcpy_async(&words[stage][t], in + stage * 64 + t, sizeof(int), pipe);
        pipe.producer_commit();
    }
    pipe.consumer_wait();
    HOLDS(words[0][t] == t);
    pipe.consumer_release();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    HOLDS(words[1][t] == 64 + t);
}

__global__ void to_barriers(const int* in) {
    __shared__ alignas(16) int words[3][64];
    __shared__ alignas(block_barrier) unsigned char memory[sizeof(block_barrier)];
    auto* barrier = reinterpret_cast<block_barrier*>(memory);
    const auto block = cg::this_thread_block();
    if (threadIdx.x == 0) init(barrier, 64);
    block.sync();
    cuda::memcpy_async(block, words[0], in + 1, 256, *barrier);  // each its part
    cuda::memcpy_async(block, words[1], in, cuda::aligned_size_t<16>(256), *barrier);  // bulk
    barrier->arrive_and_wait();
    HOLDS(words[0][63 - threadIdx.x] == 64 - int(threadIdx.x));
    HOLDS(words[1][63 - threadIdx.x] == 63 - int(threadIdx.x));
    if (threadIdx.x == 0) {
        ptx::fence_proxy_async(ptx::space_shared);  // which the copies before do not ask for
        cuda::device::memcpy_async_tx(words[2], in + 64, cuda::aligned_size_t<16>(256), *barrier);
        (void)cuda::device::barrier_arrive_tx(*barrier, 1, 256);
    } else {
        (void)barrier->arrive();
    }
    barrier->wait_parity(true);
    HOLDS(words[2][63 - threadIdx.x] == 127 - int(threadIdx.x));
}

__global__ void in_bulk(const unsigned* in, unsigned* out, unsigned* sums) {
    __shared__ alignas(128) unsigned words[64];
    __shared__ std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &barrier, sizeof words);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, in, sizeof words,
                           &barrier);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    words[threadIdx.x] += 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, words, sizeof words);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sums, words,
                                  sizeof words);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        words[0] = 12345;  // was read
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        HOLDS(out[0] == 1);
    }
}

__global__ void __cluster_dims__(2) between_blocks(const int* in) {
    __shared__ alignas(16) int words[64], copied[64], spread[64], total;
    __shared__ std::uint64_t barrier;
    const auto cluster = cg::this_cluster();
    const unsigned other = cluster.block_rank() ^ 1;
    words[threadIdx.x] = int(cluster.block_rank() * 100 + threadIdx.x);
    if (threadIdx.x == 0) {
        total = 0;
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared,
                                       &barrier, 256 + 256 + 64 * 4);
    }
    ptx::fence_proxy_async(ptx::space_shared);
    cluster.sync();
    std::uint64_t* theirs = cluster.map_shared_rank(&barrier, other);
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared,
                           cluster.map_shared_rank(copied, other), words, 256, theirs);
        if (cluster.block_rank() == 0)
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, spread, in, 256, &barrier,
                               std::uint16_t(3));
    }
    ptx::red_async(ptx::op_add, cluster.map_shared_rank(&total, other), int(threadIdx.x), theirs);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, 0)) {
    }
    HOLDS(copied[threadIdx.x] == int(other * 100 + threadIdx.x));
    HOLDS(spread[threadIdx.x] == int(threadIdx.x));
    HOLDS(total == 63 * 64 / 2);
    cluster.sync();
}

template <int Rank>
struct corner {
    std::int32_t at[Rank];
};
template <int Rank>
__global__ void tile(const __grid_constant__ CUtensorMap from,
                     const __grid_constant__ CUtensorMap to, corner<Rank> where, int bytes,
                     int* seen) {
    __shared__ alignas(1024) int words[512];
    __shared__ std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, &from, where.at,
                                  &barrier);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &barrier, std::uint32_t(bytes));
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    for (int i = threadIdx.x; i < bytes / 4; i += 32) seen[i] = words[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, where.at, words);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

using encoder = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                             const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                             const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                             CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static encoder encode;

template <int Rank>
static CUresult describe(CUtensorMap& map, int* data, const cuuint64_t (&sizes)[Rank],
                         const cuuint32_t (&box)[Rank], int swizzle = 0) {
    cuuint64_t strides[Rank] = {};
    cuuint32_t steps[Rank];
    for (int i = 0; i < Rank; ++i) steps[i] = 1;
    for (int i = 0; i + 1 < Rank; ++i) strides[i] = (i ? strides[i - 1] : 4) * sizes[i];
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, Rank, data, sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CUtensorMapSwizzle(swizzle),
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// Loads a tile at a corner, compares it with the definition, and stores it in another array.
template <int Rank>
static void check_tile(const cuuint64_t (&sizes)[Rank], const cuuint32_t (&box)[Rank],
                       corner<Rank> where, int swizzle = 0) {
    size_t count = 1, words = 1;
    for (int i = 0; i < Rank; ++i) count *= sizes[i], words *= box[i];
    std::vector<int> in(count), seen(words), out(count);
    for (size_t i = 0; i < count; ++i) in[i] = int(i) + 1;
    int *d_in, *d_out, *d_seen;
    cudaMalloc(&d_in, count * 4);
    cudaMalloc(&d_out, count * 4);
    cudaMalloc(&d_seen, words * 4);
    cudaMemcpy(d_in, in.data(), count * 4, cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, count * 4);
    CUtensorMap from, to;
    EXPECT(describe(from, d_in, sizes, box, swizzle) == CUDA_SUCCESS);
    EXPECT(describe(to, d_out, sizes, box, swizzle) == CUDA_SUCCESS);
    tile<Rank><<<1, 32>>>(from, to, where, int(words * 4), d_seen);
    EXPECT(cudaMemcpy(seen.data(), d_seen, words * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaMemcpy(out.data(), d_out, count * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    int wrong = 0;
    size_t stored = 0;
    for (size_t i = 0; i < words; ++i) {
        size_t rest = i, place = 0, unit = 1;
        bool inside = true;
        for (int d = 0; d < Rank; ++d) {
            const long long index = where.at[d] + (long long)(rest % box[d]);
            inside = inside && index >= 0 && index < (long long)sizes[d];
            place += size_t(index) * unit;
            unit *= sizes[d];
            rest /= box[d];
        }
        const size_t chunk = i / 4, row = i / 32;
        const size_t mask = swizzle ? (size_t(1) << swizzle) - 1 : 0;
        const size_t lies = (chunk ^ (row & mask)) * 4 + i % 4;
        wrong += seen[lies] != (inside ? int(place) + 1 : 0);
        if (inside) wrong += out[place] != int(place) + 1, ++stored;
    }
    for (const int word : out) stored -= word != 0;
    EXPECT(wrong == 0 && stored == 0);
}

static void tensor_maps() {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    EXPECT(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                            cudaEnableDefault, &found) == cudaSuccess);
    encode = encoder(entry);
    check_tile<1>({64}, {16}, {{8}});
    check_tile<1>({64}, {16}, {{-4}});
    check_tile<2>({32, 20}, {8, 6}, {{4, 3}});
    check_tile<2>({32, 20}, {8, 6}, {{28, 17}});
    check_tile<2>({32, 20}, {8, 6}, {{-4, -2}});
    check_tile<3>({16, 6, 5}, {8, 3, 4}, {{12, 4, 3}});
    check_tile<4>({8, 4, 3, 3}, {4, 2, 2, 2}, {{4, 2, 1, 2}});
    check_tile<5>({8, 3, 3, 2, 2}, {8, 2, 2, 2, 2}, {{-4, 1, 1, 0, 1}});
    check_tile<2>({64, 16}, {32, 16}, {{32, 0}}, 3);
    check_tile<2>({64, 16}, {16, 16}, {{16, 1}}, 2);
    check_tile<2>({64, 16}, {8, 16}, {{60, 2}}, 1);
    CUtensorMap map;
    int* data;
    cudaMalloc(&data, 4096);
    EXPECT(describe<2>(map, data + 1, {32, 8}, {8, 8}) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(describe<2>(map, data, {31, 8}, {8, 8}) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(describe<2>(map, data, {32, 8}, {7, 8}) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(describe<2>(map, data, {32, 8}, {8, 257}) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(describe<2>(map, data, {32, 8}, {32, 8}, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(describe<2>(map, data, {256, 256}, {256, 256}) == CUDA_ERROR_INVALID_VALUE);  // 256 KiB
    EXPECT(describe<2>(map, data, {256, 256}, {256, 227}) == CUDA_SUCCESS);
    EXPECT(describe<2>(map, data, {32, 8}, {8, 8}, 3) == CUDA_SUCCESS);  // no copy does this here
}

__global__ void just_load(const __grid_constant__ CUtensorMap map, unsigned* seen) {
    __shared__ alignas(128) unsigned words[8];
    __shared__ std::uint64_t barrier;
    const int at[] = {0};
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%0, {%1}];" ::"l"(&map),
                     "r"(0)
                     : "memory");
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &barrier, 32);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, &map, at, &barrier);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    seen[threadIdx.x] = words[threadIdx.x];
}

// A kernel makes a map of nothing, or of another, and copies by it.
__global__ void made_on_device(const __grid_constant__ CUtensorMap pattern, bool blank,
                               const int* data, CUtensorMap* map, int* seen) {
    __shared__ alignas(128) CUtensorMap made;
    __shared__ alignas(128) int words[48];
    __shared__ std::uint64_t barrier;
    const int t = threadIdx.x, at[] = {4, 2};
    const std::int64_t row = 64;
    constexpr ptx::n32_t<0> first;
    constexpr ptx::n32_t<1> second;
    if (t == 0) {
        made = pattern;
        if (blank) memset(&made, 0, sizeof made);
        ptx::tensormap_replace_global_address(ptx::space_shared, &made, data);
        ptx::tensormap_replace_global_dim(ptx::space_shared, &made, second, 5);
        if (blank) {
            ptx::tensormap_replace_rank(ptx::space_shared, &made, 1);
            ptx::tensormap_replace_global_dim(ptx::space_shared, &made, first, 16);
            ptx::tensormap_replace_global_stride(ptx::space_shared, &made, first, row);
            ptx::tensormap_replace_box_dim(ptx::space_shared, &made, first, 8);
            ptx::tensormap_replace_box_dim(ptx::space_shared, &made, second, 6);
            ptx::tensormap_replace_element_stride(ptx::space_shared, &made, first, 1);
            ptx::tensormap_replace_element_stride(ptx::space_shared, &made, second, 1);
            ptx::tensormap_replace_elemtype(ptx::space_shared, &made, ptx::n32_t<3>());
            ptx::tensormap_replace_interleave_layout(ptx::space_shared, &made, first);
            ptx::tensormap_replace_swizzle_mode(ptx::space_shared, &made, first);
            ptx::tensormap_replace_fill_mode(ptx::space_shared, &made, first);
        }
    }
    __syncwarp();
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, map, &made, ptx::n32_t<128>());
    if (t == 0) {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map,
                                           ptx::n32_t<128>());
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &barrier, 192);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, map, at, &barrier);
    }
    __syncwarp();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    for (int i = t; i < 48; i += 32) seen[i] = words[i];
}

static void maps_made_on_the_device() {
    std::vector<int> numbers(16 * 8), seen(48);
    for (int i = 0; i < 128; ++i) numbers[i] = i + 1;
    int *data, *d_seen;
    CUtensorMap pattern, *map;
    cudaMalloc(&data, 128 * 4);
    cudaMalloc(&d_seen, 48 * 4);
    cudaMalloc(&map, sizeof *map);
    cudaMemcpy(data, numbers.data(), 128 * 4, cudaMemcpyHostToDevice);
    EXPECT(describe<2>(pattern, d_seen, {16, 3}, {8, 6}) == CUDA_SUCCESS);
    for (const bool blank : {false, true}) {
        cudaMemset(d_seen, 0xff, 48 * 4);
        made_on_device<<<1, 32>>>(pattern, blank, data, map, d_seen);
        EXPECT(cudaMemcpy(seen.data(), d_seen, 48 * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
        for (int i = 0; i < 48; ++i)
            EXPECT(seen[i] == (i < 24 ? (2 + i / 8) * 16 + 4 + i % 8 + 1 : 0));
    }
}

// What a tile is filled with, and what becomes of its numbers.
static void kinds_of_elements() {
    const unsigned bits[] = {0x00012345, 0x3f801fff, 0x3f802fff, 0xc0490fdb};
    const unsigned rounded[] = {0x00012000, 0x3f802000, 0x3f802000, 0xc0490000};
    unsigned *data, *d_seen, seen[8];
    CUtensorMap map;
    cudaMalloc(&data, 16);
    cudaMalloc(&d_seen, 32);
    cudaMemcpy(data, bits, 16, cudaMemcpyHostToDevice);
    const cuuint64_t sizes[] = {4}, strides[] = {16};
    const cuuint32_t box[] = {8}, steps[] = {1};
    const auto load = [&](CUtensorMapDataType type, CUtensorMapFloatOOBfill fill) {
        EXPECT(encode(&map, type, 1, data, sizes, strides, box, steps,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                      CU_TENSOR_MAP_L2_PROMOTION_NONE, fill) == CUDA_SUCCESS);
        just_load<<<1, 8>>>(map, d_seen);
        EXPECT(cudaMemcpy(seen, d_seen, 32, cudaMemcpyDeviceToHost) == cudaSuccess);
    };
    load(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    for (int i = 0; i < 4; ++i) EXPECT(seen[i] == bits[i] && seen[4 + i] == 0x7ff77ff7);
    load(CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    for (int i = 0; i < 4; ++i) EXPECT(seen[i] == bits[i] && seen[4 + i] == 0);
    load(CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    for (int i = 0; i < 4; ++i) EXPECT(seen[i] == rounded[i] && seen[4 + i] == 0);
}

int main() {
    std::vector<int> numbers(640);
    for (int i = 0; i < 640; ++i) numbers[i] = i;
    int *in, *out;
    cudaMalloc(&in, 640 * 4);
    cudaMalloc(&out, 640 * 4);
    cudaMemcpy(in, numbers.data(), 640 * 4, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 640 * 4);
    counts<<<1, 1>>>();
    completes<<<1, 64>>>();
    grid_barrier<<<2, 32>>>(out,
                            reinterpret_cast<cuda::barrier<cuda::thread_scope_device>*>(out + 100));
    arrive_at_the_other<<<2, 32>>>();
    groups_of_copies<<<2, 64>>>(in);
    unified<<<1, 64>>>(in);
    partitioned<<<1, 96>>>(in);
    of_a_thread<<<1, 64>>>(in);
    to_barriers<<<1, 64>>>(in);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaMemset(out, 0, 640 * 4);
    auto* words = reinterpret_cast<unsigned*>(out);
    in_bulk<<<1, 64>>>(reinterpret_cast<unsigned*>(in), words, words + 64);
    between_blocks<<<2, 64>>>(in);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(cudaMemcpy(numbers.data(), out, 512, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 64; ++i) EXPECT(numbers[i] == i + 1 && numbers[64 + i] == i + 1);
    tensor_maps();
    maps_made_on_the_device();
    kinds_of_elements();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    failures += device_failures;
    std::printf("%d failures\n", failures);
    return failures != 0;
}
