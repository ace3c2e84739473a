// May code written for the host run in a kernel? A lambda may, with `__device__` in
// front of its body and the option -extended-lambda. A `constexpr` function without any
// specifier may, with -expt-relaxed-constexpr. Without the options the compiler refuses
// both.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
/// An ordinary function of the host, which happens to be constexpr.
constexpr int square(int x) { return x * x; }

/// Calls f in one thread.
/// @param f       takes nothing, returns int
/// @param result  one int on the device
template <class Function>
__global__ void call(Function f, int* result) {
    *result = f();
}
// [/functions]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = options.integer("side", 7, 0, 1000);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_result(1);
    d_result.fill_bytes(0xFF);
    // [call]
    call<<<1, 1>>>([side] __device__ { return square(side); }, d_result.data());
    lockstep::check(cudaGetLastError());
    // [/call]
    lockstep::report("square, by a kernel", d_result.to_host()[0]);
    return d_result.to_host()[0] == side * side ? EXIT_SUCCESS : EXIT_FAILURE;
}
