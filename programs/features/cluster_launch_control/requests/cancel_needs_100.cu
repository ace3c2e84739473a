// What if code with a cancel request is compiled for an older GPU? The header has the
// function for every GPU; below compute capability 10.0 it calls one that does not
// exist and whose name says why.

#include <cstdint>

#include <cuda/ptx>

namespace ptx = cuda::ptx;

// [kernel]
/// Asks once, and notes which block was canceled.
/// @param first  three coordinates in device memory, written on success
__global__ void ask_once(int* first) {
    __shared__ uint4 response;
    __shared__ std::uint64_t arrived;
    ptx::mbarrier_init(&arrived, 1);
    ptx::clusterlaunchcontrol_try_cancel(&response, &arrived);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared,
                                   &arrived, sizeof response);
    while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {
    }
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(response)) return;
    first[0] = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(response);
    first[1] = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_y<int>(response);
    first[2] = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_z<int>(response);
}
// [/kernel]

int main() {}
