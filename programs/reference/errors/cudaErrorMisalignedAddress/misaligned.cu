// A load of 16 bytes from an address that 16 does not divide.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernel]
/// Copies four floats at once.
/// @param to    four floats in device memory, aligned to 16 bytes, written
/// @param from  four floats in device memory, aligned to 16 bytes
__global__ void copy(float4* to, const float4* from) { *to = *from; }
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    lockstep::device_buffer<float> x(8);
    copy<<<1, 1>>>(reinterpret_cast<float4*>(x.data()),
                   reinterpret_cast<float4*>(x.data() + 1));
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    lockstep::device_buffer<float> x(8);
    copy<<<1, 1>>>(reinterpret_cast<float4*>(x.data()),
                   reinterpret_cast<float4*>(x.data() + 4));
    lockstep::check(cudaGetLastError());
    return cudaDeviceSynchronize();
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorMisalignedAddress, wrong, fixed);
}
