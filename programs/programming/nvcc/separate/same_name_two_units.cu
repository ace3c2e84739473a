// Two files each have a variable `factor` in constant memory. Is it one variable or
// two? Two, as long as each file is a whole program of its own. With relocatable device
// code the linker finds two definitions of one name and refuses, unless the variables
// are `static`. Two kernels of one name are refused in either case.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [unit]
#ifndef LINKAGE
#define LINKAGE  // -DLINKAGE=static makes the variables private
#endif

// the other unit has: LINKAGE __constant__ int factor = 3;
LINKAGE __constant__ int factor = 2;

/// Multiplies with this unit's factor.
/// @param x  one int on the device
__global__ void scale_here(int* x) { *x *= factor; }

void scale_with_other_unit(int* d_x);  // launches scale_there of the other unit
// [/unit]

/// The same for a constant, as a template.
/// @param x  one int on the device
template <int number>
__global__ void scale_by(int* x) {
    *x *= number;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(std::vector<int>{1});
    // [act]
    scale_here<<<1, 1>>>(d_x.data());
    lockstep::check(cudaGetLastError());
    const int here = d_x.to_host()[0];
    scale_with_other_unit(d_x.data());
    lockstep::check(cudaGetLastError());
    const int both = d_x.to_host()[0];
    scale_by<5><<<1, 1>>>(d_x.data());
    lockstep::check(cudaGetLastError());
    // [/act]
    lockstep::report("1 times this unit's factor", here);
    lockstep::report("times the other's factor", both);
    return here == 2 && both == 6 && d_x.to_host()[0] == 30 ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
