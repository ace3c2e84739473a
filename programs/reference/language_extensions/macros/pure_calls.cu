// What does __nv_pure__ promise? That a call does nothing but return a result. The
// compiler may then make one call of two with the same argument, as long as no memory
// is written between them. Here it cannot find that out by itself, since the functions
// are in another file.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
extern __device__ unsigned plain(unsigned x);
extern __device__ __nv_pure__ unsigned pure(unsigned x);
// [/functions]

// [kernels]
/// Calls a function twice with the same argument.
/// @param x  two numbers in device memory; the second is replaced
__global__ void calls_plain(unsigned* x) {
    const unsigned first = x[0];
    x[1] = plain(first) + plain(first);
}

/// The same, with the promise.
/// @param x  two numbers in device memory; the second is replaced
__global__ void calls_pure(unsigned* x) {
    const unsigned first = x[0];
    x[1] = pure(first) + pure(first);
}

/// The same, and writes to memory between the calls.
/// @param x  two numbers in device memory; the second is replaced
__global__ void calls_pure_and_writes(unsigned* x) {
    const unsigned first = x[0];
    x[1] = pure(first);
    x[1] += pure(first);
}
// [/kernels]

int main() {
    lockstep::require_device();
    int wrong = 0;
    for (const auto kernel : {calls_plain, calls_pure, calls_pure_and_writes}) {
        lockstep::device_buffer<unsigned> d_x(std::vector<unsigned>{6, 0});
        kernel<<<1, 1>>>(d_x.data());
        lockstep::check(cudaGetLastError());
        wrong += d_x.to_host()[1] != 0xC0000000;  // twice the 6 with its bits reversed
    }
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
