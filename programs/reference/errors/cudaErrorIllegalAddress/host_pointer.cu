// A kernel gets a pointer to memory of the host.

#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Writes one number for each thread.
/// @param data  one int for each thread in device memory, written
__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    std::vector<int> host(256);
    fill<<<1, 256>>>(host.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<int> device(256);
    fill<<<1, 256>>>(device.data());
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorIllegalAddress, wrong, fixed);
}
