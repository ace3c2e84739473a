// What does a CUDA project of several files look like to CMake? This file holds a
// kernel and the function that launches it. It calls a device function of a second CUDA
// file, so the two need separate compilation; a C++ file, which knows no CUDA, has the
// host's part of the work.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [declarations]
__device__ float polynomial(float x);  // in polynomial.cu
double sum_of(const std::vector<float>& values);  // in summary.cpp
// [/declarations]

// [kernel]
/// y[i] = polynomial(i).
/// @param n  number of elements
/// @param y  n floats in device memory, written
__global__ void evaluate(int n, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = polynomial(static_cast<float>(i));
}
// [/kernel]

int main() {
    lockstep::require_device();
    constexpr int n = 100;
    lockstep::device_buffer<float> d_y(n);
    d_y.fill_bytes(0xFF);
    // [launch]
    evaluate<<<1, 128>>>(n, d_y.data());
    lockstep::check(cudaGetLastError());
    const double sum = sum_of(d_y.to_host());
    // [/launch]
    std::printf("sum of i * i + 1    %.0f\n", sum);
    return sum == 328450 ? EXIT_SUCCESS : EXIT_FAILURE;  // 99 * 100 * 199 / 6 + 100
}
