// Who can arrive at a barrier in another block's shared memory? cuda::ptx can. The
// member function arrive() of cuda::barrier cannot in toolkit 13.0: it stops the
// kernel.

#include <cstdint>
#include <cstdlib>

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace ptx = cuda::ptx;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// [kernel]
/// The first block of a cluster of two arrives at the barrier of the second.
/// @param by_class  whether by cuda::barrier or by cuda::ptx
/// @param passed    one int in device memory, written: whether the phase completed
__global__ void __cluster_dims__(2) arrive_at_other(bool by_class, int* passed) {
    __shared__ block_barrier barrier;
    const auto cluster = cooperative_groups::this_cluster();
    init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    cluster.sync();
    if (cluster.block_rank() == 0) {
        block_barrier* other = cluster.map_shared_rank(&barrier, 1);
        if (by_class)
            static_cast<void>(other->arrive());
        else
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                                 ptx::space_cluster,
                                 cuda::device::barrier_native_handle(*other));
    } else {
        std::uint64_t* word = cuda::device::barrier_native_handle(barrier);
        for (int attempt = 0; attempt < 1000 && !*passed; ++attempt)
            *passed = ptx::mbarrier_try_wait_parity(ptx::sem_acquire,
                                                    ptx::scope_cluster, word, 0, 1000);
    }
    cluster.sync();
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_passed(1);
    d_passed.fill_bytes(0);
    arrive_at_other<<<2, 1>>>(false, d_passed.data());
    lockstep::check(cudaGetLastError());
    const bool passed = d_passed.to_host()[0] == 1;
    lockstep::report("cuda::ptx, phase completed", passed);
    arrive_at_other<<<2, 1>>>(true, d_passed.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();  // no call works after a trap
    lockstep::report("cuda::barrier, arrive()", cudaGetErrorName(error));
    return passed && error != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
