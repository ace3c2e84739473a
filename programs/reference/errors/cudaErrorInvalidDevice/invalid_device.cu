// A number that no GPU of this machine has.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() { return cudaSetDevice(99); }
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    return cudaSetDevice(devices - 1);
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidDevice, wrong, fixed);
}
