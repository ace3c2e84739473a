// The other unit has a variable of the same name, with another value, and a kernel that
// uses it.

#ifndef LINKAGE
#define LINKAGE
#endif

LINKAGE __constant__ int factor = 3;

/// Multiplies with this unit's factor.
/// @param x  one int on the device
__global__ void scale_there(int* x) { *x *= factor; }

/// Launches scale_there.
/// @param d_x  one int on the device
void scale_with_other_unit(int* d_x) { scale_there<<<1, 1>>>(d_x); }
