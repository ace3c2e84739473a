// Does assert work in a kernel? Yes: it prints file, line and thread, and the host's
// next wait returns cudaErrorAssert. With -DNDEBUG, which CMake adds to a release
// build, it is removed, and so is its cost. Then bad data goes unnoticed.

#include <cassert>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Replaces each number by its root.
/// @param x  one float for each thread on the device, none of them negative
__global__ void roots(float* x) {
    assert(x[threadIdx.x] >= 0);
    x[threadIdx.x] = sqrtf(x[threadIdx.x]);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool bad = options.flag("bad");
    options.finish();
    lockstep::require_device();

    std::vector<float> x(32, 4.0F);
    if (bad) x[5] = -4;
    lockstep::device_buffer<float> d_x(x);
    // [act]
    roots<<<1, 32>>>(d_x.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t status = cudaDeviceSynchronize();
    lockstep::report("after the kernel", cudaGetErrorName(status));
    // [/act]
    if (status == cudaSuccess)
        lockstep::report("root of x[5] is a number", !std::isnan(d_x.to_host()[5]));
#ifdef NDEBUG
    const bool expected = status == cudaSuccess;
#else
    const bool expected = status == (bad ? cudaErrorAssert : cudaSuccess);
#endif
    return expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
