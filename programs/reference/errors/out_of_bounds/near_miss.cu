// A thread writes two bytes beyond the end of 42. No call returns an error; only a tool
// reports it.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Writes one byte.
/// @param data   bytes in device memory
/// @param place  which one
__global__ void put(char* data, int place) { data[place] = 1; }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<char> buffer(42);
    put<<<1, 1>>>(buffer.data(), 43);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<char> buffer(42);
    put<<<1, 1>>>(buffer.data(), 41);
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
