// How does a running block take over the tile of a block that has not started? It asks
// the hardware to cancel such a block, works on its own tile meanwhile, and reads from
// the answer whether it got one and which. Needs compute capability 10.0.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

constexpr int block_size = 256;

/// Multiplies one tile of a vector: y = factor x.
/// @param n       number of elements of the vector
/// @param factor  the number
/// @param x       n elements in device memory
/// @param y       n elements in device memory, written in this tile
/// @param tile    which block_size elements
__device__ void scale_tile(int n, float factor, const float* x, float* y, int tile) {
    const int i = tile * block_size + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}

#if __CUDA_ARCH__ >= 1000
/// Multiplies this block's tile, and then those of blocks that it could cancel.
/// @param n       number of elements of the vector
/// @param factor  the number
/// @param x       n elements in device memory
/// @param y       n elements in device memory, written
__device__ void scale_with_requests(int n, float factor, const float* x, float* y) {
    // [loop]
    // 1. set up
    __shared__ uint4 response;         // 16 bytes, written by the hardware
    __shared__ std::uint64_t arrived;  // a barrier: the response is there
    if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
    unsigned phase = 0;
    int tile = blockIdx.x;
    while (true) {
        __syncthreads();  // the barrier is made, and the old response read by all
        if (threadIdx.x == 0) {  // 2. request
            ptx::fence_proxy_async_generic_sync_restrict(
                ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
            cg::invoke_one(cg::coalesced_threads(), [&] {
                ptx::clusterlaunchcontrol_try_cancel(&response, &arrived);
            });
            ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta,
                                           ptx::space_shared, &arrived,
                                           sizeof response);
        }
        scale_tile(n, factor, x, y, tile);  // 3. compute
        // 4. wait
        while (!ptx::mbarrier_try_wait_parity(&arrived, phase)) {
        }
        phase ^= 1;
        // 5. answer
        if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(response)) break;
        tile = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(response);
        ptx::fence_proxy_async_generic_sync_restrict(
            ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
    }
    // [/loop]
}
#endif

// [kernel]
/// Multiplies a vector by a number: y = a x.
/// @param n          number of elements
/// @param a          the number, in device memory
/// @param x          n elements in device memory
/// @param y          n elements in device memory, written
/// @param prologues  counts the blocks that started, in device memory
__global__ void scale(int n, const float* a, const float* x, float* y, int* prologues) {
    const float factor = *a;  // the prologue, once for all tiles of this block
    if (threadIdx.x == 0) atomicAdd(prologues, 1);
#if __CUDA_ARCH__ >= 1000
    scale_with_requests(n, factor, x, y);
#else
    scale_tile(n, factor, x, y, blockIdx.x);  // no requests: one tile for each block
#endif
}
// [/kernel]

int main() {
    lockstep::require_device(100);
    constexpr int tiles = 20000;
    constexpr int n = tiles * block_size - 100;
    std::vector<float> x(n);
    for (int i = 0; i < n; ++i) x[i] = float(i % 1000);
    lockstep::device_buffer<float> d_x(x), d_y(n), d_a(std::vector<float>{2});
    d_y.fill_bytes(0xFF);
    lockstep::device_buffer<int> d_prologues(std::vector<int>{0});

    // [launch]
    scale<<<tiles, block_size>>>(n, d_a.data(), d_x.data(), d_y.data(),
                                 d_prologues.data());
    lockstep::check(cudaGetLastError());
    // [/launch]
    const std::vector<float> y = d_y.to_host();
    bool right = true;
    for (int i = 0; i < n; ++i) right &= y[i] == 2 * x[i];
    const int prologues = d_prologues.to_host()[0];
    lockstep::report("blocks launched", tiles);
    lockstep::report("blocks that started", lockstep::counted{prologues});
    lockstep::report("blocks canceled", lockstep::counted{tiles - prologues});
    lockstep::report("result", right ? "correct" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
