// What does __nv_pure__ promise? That the result depends on the arguments alone, and
// that a call does nothing else. The compiler may then make one call of two with the
// same arguments. Here it cannot find that out by itself, since the functions are in
// another file.

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
/// Calls the function twice with the same argument.
/// @param x  two numbers in device memory, replaced by results
__global__ void calls_plain(unsigned* x) {
    const unsigned argument = x[0];
    x[0] = plain(argument);
    x[1] = plain(argument) + 1;
}

/// The same, with the promise.
/// @param x  two numbers in device memory, replaced by results
__global__ void calls_pure(unsigned* x) {
    const unsigned argument = x[0];
    x[0] = pure(argument);
    x[1] = pure(argument) + 1;
}
// [/kernels]

int main() {
    lockstep::require_device();
    bool right = true;
    for (const auto kernel : {calls_plain, calls_pure}) {
        lockstep::device_buffer<unsigned> d_x(std::vector<unsigned>{6, 0});
        kernel<<<1, 1>>>(d_x.data());
        lockstep::check(cudaGetLastError());
        const std::vector<unsigned> x = d_x.to_host();
        lockstep::report(kernel == calls_plain ? "plain(6) >> 29" : "pure(6) >> 29",
                         x[0] >> 29);
        right = right && x[0] == 3U << 29 && x[1] == x[0] + 1;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
