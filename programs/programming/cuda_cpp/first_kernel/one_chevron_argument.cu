// What if the block size is left out? nvcc accepts a launch with one number between
// <<< and >>>. This program asks such a launch how large its blocks were. A call of a
// kernel without <<< >>> does not compile.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Counts the threads that run, and notes the size of their block.
/// @param found  two ints in device memory: threads that ran, and blockDim.x
__global__ void count_yourselves(int* found) {
    atomicAdd(&found[0], 1);
    found[1] = blockDim.x;
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_found(std::vector<int>{0, 0});
#ifdef NO_CHEVRONS
    // [call]
    count_yourselves(d_found.data());
    // [/call]
#endif
    // [launch]
    count_yourselves<<<2>>>(d_found.data());
    const cudaError_t launched = cudaGetLastError();
    // [/launch]
    const std::vector<int> found = d_found.to_host();
    lockstep::report("launch", cudaGetErrorName(launched));
    lockstep::report("threads that ran", found[0]);
    lockstep::report("threads in a block", found[1]);
    return launched == cudaSuccess ? found[0] != 2 * found[1] : found[0] != 0;
}
