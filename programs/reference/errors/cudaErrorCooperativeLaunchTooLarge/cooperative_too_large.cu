// A grid that waits for all its blocks, and does not fit onto the GPU at once.

#include <cooperative_groups.h>

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
__global__ void wait_for_grid() { cooperative_groups::this_grid().sync(); }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    return cudaLaunchCooperativeKernel(wait_for_grid, 1'000'000, 256, nullptr, 0,
                                       nullptr);
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    int blocks_each = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_each, wait_for_grid, 256, 0));
    lockstep::check(cudaLaunchCooperativeKernel(wait_for_grid, sms * blocks_each, 256,
                                                nullptr, 0, nullptr));
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorCooperativeLaunchTooLarge, wrong,
                                  fixed);
}
