// Which names of the guide's examples do the headers of toolkit 13.0 lack? There is no
// cluster scope for cuda::barrier, and the arrival that expects bytes has five
// parameters. This file does not compile, and each error names one of them.

#include <cstdint>

#include <cuda/barrier>
#include <cuda/ptx>

// [guide]
/// An arrival that the guide writes with an arrival count, and a scope it lists.
__global__ void track() {
    __shared__ std::uint64_t barrier;
    namespace ptx = cuda::ptx;
    std::uint64_t token = ptx::mbarrier_arrive_expect_tx(
        ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &barrier, 1, 0);
    using cluster_barrier = cuda::barrier<cuda::thread_scope_cluster>;
}
// [/guide]

int main() {}
