// Can a process recover from a fault inside a kernel? No. The launch succeeds, the next
// synchronizing call reports the fault, and from then on the context is broken:
// clearing the last error does not repair it, and neither does resetting the device.
// Only a new process helps. Each case here is one process.

#undef NDEBUG  // a release build would drop assert

#include <cassert>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
enum fault { none, address, misaligned, assertion, trap };

/// Does one wrong thing, or nothing wrong.
/// @param which  what to do
/// @param word   4-byte aligned address of at least 8 bytes on the device
__global__ void misbehave(fault which, char* word) {
    if (which == none) *reinterpret_cast<int*>(word) = 1;
    // this address was never allocated
    if (which == address) *reinterpret_cast<volatile int*>(16) = 1;
    // an int needs a multiple of 4
    if (which == misaligned) *reinterpret_cast<volatile int*>(word + 1) = 1;
    assert(which != assertion);
    if (which == trap) __trap();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto which = static_cast<fault>(
        options.choice("case", {"none", "address", "misaligned", "assert", "trap"}));
    options.finish();
    lockstep::require_device();

    char* d_word = nullptr;
    lockstep::check(cudaMalloc(&d_word, 8));
    // [calls]
    misbehave<<<1, 1>>>(which, d_word);
    const cudaError_t launch = cudaGetLastError();
    const cudaError_t wait = cudaDeviceSynchronize();
    const cudaError_t get = cudaGetLastError();
    const cudaError_t get_again = cudaGetLastError();
    void* d_memory = nullptr;
    const cudaError_t allocate = cudaMalloc(&d_memory, 1024);
    const cudaError_t reset = cudaDeviceReset();
    const cudaError_t allocate_again = cudaMalloc(&d_memory, 1024);
    // [/calls]

    lockstep::report("launch, cudaGetLastError", cudaGetErrorName(launch));
    lockstep::report("cudaDeviceSynchronize", cudaGetErrorName(wait));
    lockstep::report("error text", cudaGetErrorString(wait));
    lockstep::report("cudaGetLastError", cudaGetErrorName(get));
    lockstep::report("cudaGetLastError again", cudaGetErrorName(get_again));
    lockstep::report("cudaMalloc", cudaGetErrorName(allocate));
    lockstep::report("cudaDeviceReset", cudaGetErrorName(reset));
    lockstep::report("cudaMalloc after reset", cudaGetErrorName(allocate_again));

    const bool accepted = launch == cudaSuccess && get == wait &&
                          get_again == cudaSuccess && allocate == wait;
    const bool healthy = wait == cudaSuccess && allocate_again == cudaSuccess;
    const bool poisoned = wait != cudaSuccess && allocate_again != cudaSuccess;
    return accepted && (which == none ? healthy : poisoned) ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
