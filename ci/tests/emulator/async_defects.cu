// Plants one defect of asynchronous barriers or copies, named by the argument; without one, the
// same work done right.

#include <cudaTypedefs.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

// What a kernel does wrong.
enum class wrong : int {
    nothing,
    early_read,
    reader_without_wait,
    few_bytes,
    many_bytes,
    parity_again,
    missing_arrival,
    old_token,
    no_fence,
    not_initialized,
    used_at_once,
    many_arrivals,
    reused_source,
    read_after_read,
    ends_reading,
    ends_writing,
    misaligned,
    own_copy,
    others_copy,
    no_wait,
    other_block,
    no_map,
    initialized_again,
    by_class,
    odd_corner,
    no_fence_after_init,
    fence_of_others,
    overwritten,
    copied_global,
    fence_for_shared,
    copied_global_of_others,
    short_row,
    half_way,
    map_without_fence,
    map_fenced_before,
    stored_map,
    map_in_shared,
    no_such_box,
};

__device__ void expect(std::uint64_t* barrier, unsigned bytes) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier,
                                   bytes);
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
    while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {  // line: wait
    }
}

__global__ void loads(wrong how, const int* in, int* y) {
    __shared__ alignas(128) int words[64];
    __shared__ std::uint64_t barrier;
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);  // line: loads init
        if (how != wrong::no_fence_after_init) ptx::fence_proxy_async(ptx::space_shared);
        expect(&barrier, how == wrong::few_bytes ? 512 : how == wrong::many_bytes ? 128 : 256);
        const int* from = in + (how == wrong::misaligned);
        // clang-format off
        if (how == wrong::no_map) ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, in, {0}, &barrier);  // line: no map
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, from, 256, &barrier);  // line: load
        // clang-format on
    }
    __syncthreads();
    if (how == wrong::ends_writing) return;
    if (how != wrong::early_read && (how != wrong::reader_without_wait || t < 32))
        wait(&barrier, 0);
    y[t] = words[t];  // line: loaded read
    if (how == wrong::early_read) wait(&barrier, 0);
}

__global__ void stores(wrong how, int* y) {
    __shared__ alignas(128) int words[64];
    const int t = threadIdx.x;
    words[t] = t;  // line: stored write
    if (how != wrong::no_fence) ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y, words, 256);  // line: store
        ptx::cp_async_bulk_commit_group();
        if (how == wrong::ends_reading) return;
        if (how != wrong::reused_source) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        words[0] = 5;  // line: reused source
        if (how != wrong::read_after_read) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        words[0] = y[1];  // line: read after read
    }
}

__global__ void phases(wrong how, int* y) {
    __shared__ std::uint64_t barrier;
    __shared__ int words[64];
    const int t = threadIdx.x;
    if (t == 0 && how != wrong::not_initialized)
        ptx::mbarrier_init(&barrier, how == wrong::missing_arrival ? 65 : 64);  // line: phases init
    if (how != wrong::used_at_once) __syncthreads();
    words[t] = t;  // line: phase write
    const std::uint64_t token = ptx::mbarrier_arrive(&barrier);  // line: arrives
    if (how == wrong::many_arrivals && t == 0)
        ptx::mbarrier_arrive(&barrier, 64);  // line: many arrivals
    if (how == wrong::initialized_again && t == 0) ptx::mbarrier_init(&barrier, 64);  // line: again
    if (how != wrong::no_wait) wait(&barrier, 0);
    y[t] = words[63 - t];  // line: phase read
    ptx::mbarrier_arrive(&barrier);
    wait(&barrier, how == wrong::parity_again ? 0 : 1);
    if (how == wrong::old_token)
        while (!ptx::mbarrier_try_wait(&barrier, token)) {  // line: old token
        }
}

__global__ void copies(wrong how, const int* in, int* y) {
    __shared__ int words[64];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&words[t], in + t, 4);  // line: own copy
    __pipeline_commit();
    if (how != wrong::own_copy) __pipeline_wait_prior(0);
    if (how != wrong::others_copy) __syncthreads();
    y[t] = words[how == wrong::own_copy ? t : 63 - t];  // line: copy read
}

__global__ void __cluster_dims__(2) clusters(wrong how, int* y) {
    __shared__ std::uint64_t barrier;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 32);
    cluster.sync();
    auto* theirs = cluster.map_shared_rank(&barrier, cluster.block_rank() ^ 1);
    using block_barrier = cuda::barrier<cuda::thread_scope_block>;
    if (how == wrong::by_class)
        (void)reinterpret_cast<block_barrier*>(theirs)->arrive();  // line: by class
    else
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, theirs);
    if (how == wrong::other_block)
        while (!ptx::mbarrier_try_wait_parity(theirs, 0)) {  // line: other block
        }
    wait(&barrier, 0);
    y[threadIdx.x] = 1;
    cluster.sync();
}

__global__ void tiles(wrong how, const __grid_constant__ CUtensorMap map, int* y) {
    __shared__ alignas(128) int words[32];
    __shared__ std::uint64_t barrier;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        expect(&barrier, 128);
        const std::int32_t corner[] = {how == wrong::odd_corner ? 2 : 4, 1};
        // clang-format off
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, &map, corner, &barrier);  // line: tile
        // clang-format on
    }
    __syncthreads();
    wait(&barrier, 0);
    y[threadIdx.x] = words[threadIdx.x];
}

// Threads write what a bulk copy then reads, or writes again: each wants a fence in between.
__global__ void fenced(wrong how, int* x, int* y) {
    __shared__ alignas(128) int words[64];
    __shared__ std::uint64_t barrier;
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    words[t] = t;  // line: overwritten write
    if (how != wrong::overwritten && (how != wrong::fence_of_others || t == 0))
        ptx::fence_proxy_async(ptx::space_shared);
    x[t] = t;  // line: x write
    if (how == wrong::fence_for_shared)
        ptx::fence_proxy_async(ptx::space_shared);
    else if (how != wrong::copied_global)
        ptx::fence_proxy_async(ptx::space_global);
    __syncthreads();
    if (t == 0) {
        expect(&barrier, 256);
        // clang-format off
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, 256, &barrier);  // line: fenced copy
        // clang-format on
    }
    wait(&barrier, 0);
    y[t] = words[t];
    __syncthreads();
    // What a copy has brought needs none, and neither what threads only read.
    if (t == 0) {
        expect(&barrier, 256);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, 256, &barrier);
    }
    wait(&barrier, 1);
    y[t] = words[t];
}

// The first block writes what the second one copies.
__global__ void __cluster_dims__(2) fenced_for_others(wrong how, int* x, int* y) {
    __shared__ alignas(128) int words[32];
    __shared__ std::uint64_t barrier;
    const auto cluster = cg::this_cluster();
    const int t = threadIdx.x;
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    if (cluster.block_rank() == 0) {
        x[t] = t;  // line: others write
        if (how != wrong::copied_global_of_others) ptx::fence_proxy_async(ptx::space_global);
    }
    cluster.sync();
    if (cluster.block_rank() == 1) {
        if (t == 0) {
            expect(&barrier, 128);
            // clang-format off
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, 128, &barrier);  // line: others copy
            // clang-format on
        }
        wait(&barrier, 0);
        y[t] = words[t];
    }
}

// Copies by a map in global memory, before and after the kernel changes it.
__global__ void mapped(wrong how, CUtensorMap* map, int* other, int* y) {
    __shared__ alignas(128) CUtensorMap changed;
    __shared__ alignas(128) int words[32];
    __shared__ std::uint64_t barrier;
    const int t = threadIdx.x, at[] = {0, 0};
    const auto acquire = [=] {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, map,
                                           ptx::n32_t<128>());
    };
    if (t == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        if (how != wrong::map_without_fence) acquire();
        expect(&barrier, 128);
        // clang-format off
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, map, at, &barrier);  // line: by map
        // clang-format on
    }
    __syncwarp();
    wait(&barrier, 0);
    y[t] = words[t];
    if (t == 0) {
        changed = *map;
        ptx::tensormap_replace_global_address(ptx::space_shared, &changed, other);
        if (how == wrong::no_such_box)
            ptx::tensormap_replace_box_dim(ptx::space_shared, &changed, ptx::n32_t<1>(), 300);
    }
    __syncwarp();
    if (how == wrong::map_fenced_before) acquire();
    if (how == wrong::stored_map)
        reinterpret_cast<int*>(map)[t] = reinterpret_cast<int*>(&changed)[t];  // line: stored map
    else
        ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_cta, map, &changed,
                                     ptx::n32_t<128>());
    __syncwarp();
    if (t == 0) {
        if (how != wrong::map_fenced_before) acquire();
        expect(&barrier, 128);
        if (how == wrong::map_in_shared) map = &changed;
        // clang-format off
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, words, map, at, &barrier);  // line: by new map
        // clang-format on
    }
    __syncwarp();
    wait(&barrier, 1);
    y[t] = words[t];
}

// Tiles of 4 rows of 8 in an array of 8 rows of 16.
CUtensorMap described(int* data, CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32,
                      CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                     &found);
    const cuuint64_t sizes[] = {16, 8}, strides[] = {64};
    const cuuint32_t box[] = {8, 4}, steps[] = {1, 1};
    CUtensorMap map;
    reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry)(
        &map, type, 2, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

int main(int argc, char** argv) {
    const struct {
        const char* name;
        wrong how;
    } defects[] = {
        {"early read", wrong::early_read},
        {"reader without wait", wrong::reader_without_wait},
        {"few bytes", wrong::few_bytes},
        {"many bytes", wrong::many_bytes},
        {"parity again", wrong::parity_again},
        {"missing arrival", wrong::missing_arrival},
        {"old token", wrong::old_token},
        {"no fence", wrong::no_fence},
        {"not initialized", wrong::not_initialized},
        {"used at once", wrong::used_at_once},
        {"many arrivals", wrong::many_arrivals},
        {"reused source", wrong::reused_source},
        {"read after read", wrong::read_after_read},
        {"ends reading", wrong::ends_reading},
        {"ends writing", wrong::ends_writing},
        {"misaligned", wrong::misaligned},
        {"own copy", wrong::own_copy},
        {"others copy", wrong::others_copy},
        {"no wait", wrong::no_wait},
        {"other block", wrong::other_block},
        {"no map", wrong::no_map},
        {"initialized again", wrong::initialized_again},
        {"by class", wrong::by_class},
        {"odd corner", wrong::odd_corner},
        {"no fence after init", wrong::no_fence_after_init},
        {"fence of others", wrong::fence_of_others},
        {"overwritten", wrong::overwritten},
        {"copied global", wrong::copied_global},
        {"fence for shared", wrong::fence_for_shared},
        {"copied global of others", wrong::copied_global_of_others},
        {"short row", wrong::short_row},
        {"half way", wrong::half_way},
        {"map without fence", wrong::map_without_fence},
        {"map fenced before", wrong::map_fenced_before},
        {"stored map", wrong::stored_map},
        {"map in shared", wrong::map_in_shared},
        {"no such box", wrong::no_such_box},
    };
    wrong how = wrong::nothing;
    for (const auto& one : defects)
        if (argc > 1 && std::strcmp(argv[1], one.name) == 0) how = one.how;
    int *in, *y;
    cudaMalloc(&in, 128 * 4);
    cudaMalloc(&y, 128 * 4);
    cudaMemset(in, 0, 128 * 4);
    cudaMemset(y, 0, 128 * 4);
    loads<<<1, 64>>>(how, in, y);
    stores<<<1, 64>>>(how, y);
    phases<<<1, 64>>>(how, y);
    copies<<<1, 64>>>(how, in, y);
    clusters<<<2, 32>>>(how, y);
    tiles<<<1, 32>>>(how, described(in), y);
    if (how == wrong::short_row)
        tiles<<<1, 32>>>(
            how, described(in, CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_SWIZZLE_64B), y);
    int* x;
    cudaMalloc(&x, 128 * 4);
    cudaMemset(x, how == wrong::half_way ? 0x10 : 0, 128 * 4);  // 0x10101010
    if (how == wrong::half_way) {
        const unsigned tie = 0x3f801000;
        cudaMemcpy(x + 20, &tie, 4, cudaMemcpyHostToDevice);
        tiles<<<1, 32>>>(how, described(x, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32), y);
    }
    fenced<<<1, 64>>>(how, x, y);
    fenced_for_others<<<2, 32>>>(how, x, y);
    CUtensorMap *map, first = described(in);
    cudaMalloc(&map, sizeof *map);
    cudaMemcpy(map, &first, sizeof *map, cudaMemcpyHostToDevice);
    mapped<<<1, 32>>>(how, map, x, y);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
}
