// A number that no GPU of this machine has.

#include <lockstep/provoke.hpp>

// [wrong]
static cudaError_t wrong() { return cudaSetDevice(99); }
// [/wrong]

// [mended]
static cudaError_t mended() {
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    return cudaSetDevice(devices - 1);
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidDevice, wrong, mended); }
