// What does nvcc say of a host compiler that is newer than it knows? A header of the
// toolkit compares the compiler's version, and stops the build.

// [kernel]
/// Writes 1.
/// @param out  one int in device memory
__global__ void one(int* out) { *out = 1; }
// [/kernel]
