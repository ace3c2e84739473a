// Which features does this GPU have? For each row of the table of features the program
// runs the smallest kernel that needs it, compiled only for the compute capabilities
// that have the feature, and compares the answer with the table.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;
namespace wmma = nvcuda::wmma;

/// Says whether the feature gave what it should: thread 0 writes 1 if it did.
/// @param holds  the comparison
/// @param works  one int on the device
__device__ void answer(bool holds, int* works) {
    if (threadIdx.x == 0) *works = holds;
}

/// Adds 1 from each lane.
/// @param works  one int on the device
__global__ void warp_reduction(int* works) {
#if __CUDA_ARCH__ >= 800
    answer(__reduce_add_sync(0xFFFFFFFF, 1) == 32, works);
#endif
}

// [copy]
/// Copies 4 bytes to shared memory without a register.
/// @param works  one int on the device, 0
__global__ void asynchronous_copy(int* works) {
#if __CUDA_ARCH__ >= 800
    __shared__ alignas(16) int4 to;
    __shared__ alignas(8) std::uint64_t barrier;
    if (threadIdx.x > 0) return;
    to = {1, 1, 1, 1};
    ptx::mbarrier_init(&barrier, 1);
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(&to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address),
                 "l"(__cvta_generic_to_global(works)));
    asm volatile("cp.async.wait_all;" ::: "memory");
    const std::uint64_t token = ptx::mbarrier_arrive(&barrier);
    answer(to.x == 0 && ptx::mbarrier_test_wait(&barrier, token), works);
#endif
}
// [/copy]

/// Adds two numbers of 16 bits with the range of a float.
/// @param works  one int on the device
__global__ void bf16_arithmetic(int* works) {
#if __CUDA_ARCH__ >= 800
    const __nv_bfloat16 sum = __float2bfloat16(1e30f) + __float2bfloat16(1e30f);
    answer(__bfloat162float(sum) > 1.9e30f, works);
#endif
}

// [tensor]
/// Multiplies a matrix of ones by another on a tensor core.
/// @tparam m, n, k   sizes of the product
/// @tparam Type      format of both factors, and
/// @tparam Storage   how their elements lie in registers
/// @tparam Sum       format of the product
/// @param works      one int on the device
template <int m, int n, int k, class Type, class Storage, class Sum>
__global__ void tensor_product(int* works) {
#if __CUDA_ARCH__ >= 800
    wmma::fragment<wmma::matrix_a, m, n, k, Type, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, m, n, k, Type, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
    wmma::fill_fragment(a, Storage(1.0f));
    wmma::fill_fragment(b, Storage(1.0f));
    wmma::fill_fragment(sum, Sum(0));
    wmma::mma_sync(sum, a, b, sum);
    answer(sum.x[0] == Sum(k), works);
#endif
}
// [/tensor]

/// Multiplies two matrices of ones in FP8 on a tensor core.
/// @param works  one int on the device
__global__ void fp8_product(int* works) {
#if __CUDA_ARCH__ >= 890
    const unsigned ones = 0x38383838;  // 1.0 four times, with four bits of exponent
    float d[4];
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, "
        "{%4, %4, %4, %4}, {%4, %4}, {%5, %5, %5, %5};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(ones), "f"(0.0f));
    answer(d[0] == 32, works);
#endif
}

// [cluster]
/// Reads the shared memory of the other block of a cluster.
/// @param works  one int on the device
__global__ void distributed_shared_memory(int* works) {
#if __CUDA_ARCH__ >= 900
    __shared__ int rank;
    const auto cluster = cooperative_groups::this_cluster();
    rank = cluster.block_rank();
    cluster.sync();
    const int other = *cluster.map_shared_rank(&rank, 1 - cluster.block_rank());
    cluster.sync();
    if (cluster.block_rank() == 0) answer(other == 1, works);
#endif
}
// [/cluster]

/// Copies 16 bytes with one instruction of the TMA.
/// @param works  16 bytes on the device, 0
__global__ void bulk_copy(int* works) {
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(16) int to[4];
    __shared__ alignas(8) std::uint64_t barrier;
    if (threadIdx.x > 0) return;
    to[3] = 1;
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, works, 16, &barrier);
    const std::uint64_t token = ptx::mbarrier_arrive_expect_tx(
        ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier, 16);
    while (!ptx::mbarrier_try_wait(&barrier, token)) {
    }
    answer(to[3] == 0, works);
#endif
}

/// Exchanges 128 bits at once, then adds four floats at once.
/// @param works  16 bytes on the device, 0
__global__ void wide_atomics(int* works) {
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(16) ulonglong2 wide;
    if (threadIdx.x > 0) return;
    wide = {1, 2};
    const ulonglong2 before = atomicExch(&wide, ulonglong2{3, 4});
    float4* sum = reinterpret_cast<float4*>(works);
    atomicAdd(sum, float4{1, 2, 3, 4});
    answer(before.y == 2 && wide.y == 4 && sum->w == 4, works);
#endif
}

/// Adds 2^-100 to 1, which needs more bits than a double has.
/// @param works  one int on the device
__global__ void quadruple_precision(int* works) {
#if __CUDA_ARCH__ >= 1000
    volatile __float128 small = 1.0 / 1024;
    __float128 tiny = 1;
    for (int i = 0; i < 10; ++i) tiny *= small;
    answer((1 + tiny) - 1 == tiny, works);
#endif
}

/// A row of the table.
struct feature {
    const char* name;     ///< as the table has it
    int since;            ///< compute capability, major * 10 + minor
    void (*probe)(int*);  ///< its kernel
    int blocks = 1;       ///< that the kernel needs
};

int main() {
    lockstep::require_device();

    // [architecture]
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, warp_reduction));
    const int architecture = attributes.ptxVersion;  // as __CUDA_ARCH__ / 10
    std::printf("compiled for %d.%d\n", architecture / 10, architecture % 10);
    // [/architecture]
    // [features]
    const feature features[] = {
        {"warp-wide reductions", 80, warp_reduction},
        {"asynchronous copies, barriers", 80, asynchronous_copy},
        {"BF16 arithmetic", 80, bf16_arithmetic},
        {"FP16 on tensor cores", 75, tensor_product<16, 16, 16, __half, __half, float>},
        {"INT8 on tensor cores", 75,
         tensor_product<16, 16, 16, signed char, signed char, int>},
        {"TF32 on tensor cores", 80,
         tensor_product<16, 16, 8, wmma::precision::tf32, float, float>},
        {"BF16 on tensor cores", 80,
         tensor_product<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>},
        {"FP64 on tensor cores", 80, tensor_product<8, 8, 4, double, double, double>},
        {"FP8 on tensor cores", 89, fp8_product},
        {"distributed shared memory", 90, distributed_shared_memory, 2},
        {"bulk copies by the TMA", 90, bulk_copy},
        {"128-bit atomics, float4", 90, wide_atomics},
        {"128-bit floating point", 100, quadruple_precision},
    };
    // [/features]
    std::printf("%-32s%-8s%s\n", "feature", "since", "works here");
    bool right = true;
    // [probe]
    for (const auto& [name, since, probe, blocks] : features) {
        lockstep::device_buffer<int> d_works(4);
        d_works.fill_bytes(0);
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = blocks;
        cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = 32;
        config.attrs = &cluster;
        config.numAttrs = blocks > 1 && architecture >= since;
        lockstep::check(cudaLaunchKernelEx(&config, probe, d_works.data()));
        const bool works = d_works.to_host()[0] == 1;
        std::printf("%-32s%d.%-6d%s\n", name, since / 10, since % 10,
                    works ? "yes" : "no");
        right &= works == (architecture >= since);
    }
    // [/probe]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
