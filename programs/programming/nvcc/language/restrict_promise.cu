// What does `__restrict__` buy, and what if it is a lie? It promises that no other
// pointer leads to the same memory. Then a value need not be read again after a write
// through another pointer. Called with pointers that overlap, the kernel with the
// promise computes something else. `-restrict` makes the promise for all kernels of a
// file.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Adds a step to two numbers.
/// @param step  one int on the device
/// @param x     two ints on the device
__global__ void add_plain(const int* step, int* x) {
    x[0] += *step;
    x[1] += *step;
}

/// The same, with a promise.
/// @param step  one int on the device, not one of x
/// @param x     two ints on the device
__global__ void add_restrict(const int* __restrict__ step, int* __restrict__ x) {
    x[0] += *step;
    x[1] += *step;
}
// [/kernels]

/// Starts with 1, 1, launches one thread, and returns the second number.
/// @param kernel   one of the two
/// @param overlap  whether the step is the first of the numbers
int second_number(void (*kernel)(const int*, int*), bool overlap) {
    lockstep::device_buffer<int> d_x(std::vector<int>{1, 1});
    lockstep::device_buffer<int> d_step(std::vector<int>{1});
    // [launch]
    kernel<<<1, 1>>>(overlap ? d_x.data() : d_step.data(), d_x.data());
    // [/launch]
    lockstep::check(cudaGetLastError());
    return d_x.to_host()[1];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool overlap = options.flag("overlap");
    options.finish();
    lockstep::require_device();

    const int plain = second_number(add_plain, overlap);
    const int promised = second_number(add_restrict, overlap);
    // with overlap the first line changes the step to 2
    const int expected = overlap ? 3 : 2;
    lockstep::report("x[1], expected", expected);
    lockstep::report("x[1], plain", plain);
    lockstep::report("x[1], __restrict__", promised);
    return plain == expected && (overlap || promised == expected) ? EXIT_SUCCESS
                                                                  : EXIT_FAILURE;
}
