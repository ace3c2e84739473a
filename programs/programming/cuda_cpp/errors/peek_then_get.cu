// What do cudaPeekAtLastError and cudaGetLastError return? The last error of this host
// thread, which the runtime stores. A later success leaves it unchanged, a later error
// replaces it, peeking leaves it unchanged, and getting it resets it to cudaSuccess.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));

    bool right = true;
    const auto row = [&](const char* label, cudaError_t found, cudaError_t expected) {
        lockstep::report(label, cudaGetErrorName(found));
        right = right && found == expected;
    };
    // [calls]
    void* d_memory = nullptr;
    row("peek, at the start", cudaPeekAtLastError(), cudaSuccess);
    row("cudaMalloc of 2^50 bytes", cudaMalloc(&d_memory, std::size_t(1) << 50),
        cudaErrorMemoryAllocation);
    row("peek", cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    row("cudaMalloc of 1024 bytes", cudaMalloc(&d_memory, 1024), cudaSuccess);
    // success does not overwrite
    row("peek", cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    row("cudaSetDevice, no such GPU", cudaSetDevice(devices), cudaErrorInvalidDevice);
    // another error does
    row("peek", cudaPeekAtLastError(), cudaErrorInvalidDevice);
    row("get", cudaGetLastError(), cudaErrorInvalidDevice);
    row("get", cudaGetLastError(), cudaSuccess);
    // [/calls]
    lockstep::check(cudaFree(d_memory));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
