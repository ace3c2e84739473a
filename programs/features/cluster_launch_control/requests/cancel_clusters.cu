// How does a running cluster take over the work of a cluster that has not started? One
// thread of the cluster asks, and the hardware writes the answer into the shared memory
// of each of its blocks. Needs compute capability 10.0, and code for exactly that.

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
constexpr int cluster_size = 2;

/// Multiplies a vector by a number: y = a x.
/// @param n          number of elements
/// @param a          the number, in device memory
/// @param x          n elements in device memory
/// @param y          n elements in device memory, written
/// @param prologues  counts the blocks that started, in device memory
__global__ void __cluster_dims__(cluster_size)
    scale_in_clusters(int n, const float* a, const float* x, float* y, int* prologues) {
    // [setup]
    const cg::cluster_group cluster = cg::this_cluster();
    __shared__ uint4 response;  // one in each block, at the same offset
    __shared__ std::uint64_t arrived;  // likewise
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    unsigned phase = 0;
    int tile = blockIdx.x;
    // [/setup]
    const float factor = *a;  // the prologue, once for all tiles of this block
    if (threadIdx.x == 0) atomicAdd(prologues, 1);
    while (true) {
        // [request]
        cluster.sync();  // all barriers are made, and all old responses read
        if (cluster.thread_rank() == 0) {
            ptx::fence_proxy_async_generic_sync_restrict(
                ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
            cg::invoke_one(cg::coalesced_threads(), [&] {
                ptx::clusterlaunchcontrol_try_cancel_multicast(&response, &arrived);
            });
        }
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cluster,
                                           ptx::space_shared, &arrived,
                                           sizeof response);
        // [/request]
        const int i = tile * block_size + threadIdx.x;
        if (i < n) y[i] = factor * x[i];
        // [wait]
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster,
                                              &arrived, phase)) {
        }
        phase ^= 1;
        // [/wait]
        // [answer]
        if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(response)) break;
        tile = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(response) +
               static_cast<int>(cluster.block_index().x);
        ptx::fence_proxy_async_generic_sync_restrict(
            ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
        // [/answer]
    }
}

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
    scale_in_clusters<<<tiles, block_size>>>(n, d_a.data(), d_x.data(), d_y.data(),
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
