// What happens if a child gets a pointer to its parent's shared or local memory? Such
// an address means a place of the block, or thread, that uses it, so it cannot lead to
// the parent's value. Which mistake follows depends on how the child reads: by a load
// from global memory, which stops with an error, or by a load that takes any address.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

enum kind { global, shared, local };
constexpr int unread = -99;

/// What the children read, in pinned host memory, which stays readable after a fault.
struct findings {
    int loaded;  ///< the word that a generic load led to
    int value;   ///< the word that a load from global memory led to
    int ran;     ///< children that came to their end
};

// [kernels]
/// Keeps the compiler from seeing what kind of pointer it is.
/// @param p  any pointer
__device__ __noinline__ volatile int* hidden(volatile int* p) { return p; }

/// Reads through a pointer of unknown kind; has shared memory of its own; one thread.
/// @param p      what the parent passed
/// @param found  in pinned host memory, written
__global__ void generic_child(volatile int* p, volatile findings* found) {
    __shared__ volatile int own;
    own = 7;
    found->loaded = *hidden(p);
    found->ran += own == 7;
}

/// The same, but the compiler sees that the pointer is a parameter; one thread.
/// @param p      what the parent passed
/// @param found  in pinned host memory, written
__global__ void child(volatile int* p, volatile findings* found) {
    __shared__ volatile int own;
    own = 7;
    found->value = *p;
    found->ran += own == 7;
}

/// Passes a pointer to its own 42 to both, one after the other; one thread.
/// @param which   where the 42 is
/// @param buffer  an int in device memory
/// @param found   for the children
__global__ void parent(kind which, int* buffer, findings* found) {
    __shared__ int in_shared;
    volatile int in_local = 42;
    in_shared = *buffer = 42;
    volatile int* const p = hidden(which == global   ? buffer
                                   : which == shared ? &in_shared
                                                     : &in_local);
    generic_child<<<1, 1>>>(p, found);
    child<<<1, 1>>>(p, found);
    in_local = -1;  // what a child would find here, if it could: no value is copied
}
// [/kernels]

/// Whose number a child read.
/// @param number  what it read, or unread
static const char* whose(int number) {
    if (number == unread) return "nothing";
    return number == 42  ? "the parent's 42"
           : number == 7 ? "its own 7"
                         : "another number";
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int which = options.choice("pass", {"global", "shared", "local"});
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_buffer(1);
    findings* found = nullptr;
    lockstep::check(cudaMallocHost(&found, sizeof *found));
    *found = {unread, unread, 0};
    parent<<<1, 1>>>(static_cast<kind>(which), d_buffer.data(), found);
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();

    lockstep::report("a generic load read", whose(found->loaded));
    lockstep::report("ld.global read", whose(found->value));
    lockstep::report("children that ended", found->ran);
    lockstep::report("host: synchronization", cudaGetErrorName(error));
    const bool reads = found->ran == 2 && found->value == 42 && found->loaded == 42;
    cudaFreeHost(found);  // refused if a fault has cost the context
    return reads == (which == global) ? EXIT_SUCCESS : EXIT_FAILURE;
}
