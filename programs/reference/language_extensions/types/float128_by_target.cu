// For which targets does device code have floating-point numbers of 128 bits? From
// compute capability 10.0 on. For 9.0 nvcc refuses the type.

// [kernel]
/// Squares a number of 113 significant bits.
/// @param x  one number in device memory
__global__ void square(__float128* x) { *x = *x * *x; }
// [/kernel]
