// A launch whose threads need more registers than a multiprocessor has.

#include <lockstep/device_buffer.hpp>
#include <lockstep/provoke.hpp>

// [kernel]
/// Keeps many values at once; compiled to use 128 registers.
/// @param x  one float for each thread, and 112 more, in device memory
__global__ void __maxnreg__(128) combine(float* x) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float values[112];
#pragma unroll
    for (int i = 0; i < 112; ++i) values[i] = x[thread + i];
#pragma unroll
    for (int round = 0; round < 4; ++round)
#pragma unroll
        for (int i = 0; i < 112; ++i) values[i] = values[i] * values[(i * 5 + round + 1) % 112] + 1;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 112; ++i) sum += values[i];
    x[thread] = sum;
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<float> x(1024 + 112);
    x.fill_bytes(0);
    combine<<<1, 1024>>>(x.data());  // 1024 x 128 registers: twice what there is
    return cudaGetLastError();
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    lockstep::device_buffer<float> x(1024 + 112);
    x.fill_bytes(0);
    combine<<<2, 512>>>(x.data());
    lockstep::check(cudaDeviceSynchronize());
    return cudaGetLastError();
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorLaunchOutOfResources, wrong, mended); }
