// A barrier expects one arrival more than there are threads, so its phase never
// completes. wait would block forever. A limited number of try_wait calls gives up.

#include <cstdint>
#include <cstdlib>
#include <new>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// init() in the kernel initializes the barrier, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init

// [kernel]
/// All threads of a block arrive, and wait for a limited time.
/// @param expected  expected arrival count of the barrier
/// @param passed    one int in device memory, increased by each thread whose wait ended
__global__ void arrive_and_wait(int expected, int* passed) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier all;
    if (threadIdx.x == 0) init(&all, expected);
    __syncthreads();
    // what the instructions work on
    std::uint64_t* word = cuda::device::barrier_native_handle(all);
    const std::uint64_t token = cuda::ptx::mbarrier_arrive(word);
    for (int attempt = 0; attempt < 1000; ++attempt)
        if (cuda::ptx::mbarrier_try_wait(word, token)) {
            atomicAdd(passed, 1);
            return;
        }
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_passed(1);
    int passed[2] = {};
    for (const int more : {0, 1}) {
        d_passed.fill_bytes(0);
        arrive_and_wait<<<1, 64>>>(64 + more, d_passed.data());
        lockstep::check(cudaGetLastError());
        passed[more] = d_passed.to_host()[0];
    }
    lockstep::report("threads past barrier of 64", passed[0]);
    lockstep::report("threads past barrier of 65", passed[1]);
    return passed[0] == 64 && passed[1] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
