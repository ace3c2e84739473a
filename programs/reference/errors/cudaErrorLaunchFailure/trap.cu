// A kernel that stops itself.

#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Ends the kernel if an element is zero.
/// @param x  one int for each thread in device memory
__global__ void check_all(const int* x) {
    if (x[threadIdx.x] == 0) __trap();
}
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    const lockstep::device_buffer<int> x(std::vector<int>{1, 2, 0});
    check_all<<<1, 3>>>(x.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    const lockstep::device_buffer<int> x(std::vector<int>{1, 2, 3});
    check_all<<<1, 3>>>(x.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorLaunchFailure, wrong, fixed);
}
