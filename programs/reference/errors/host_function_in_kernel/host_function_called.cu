// May a kernel call an ordinary function? No: without a specifier a function is
// compiled for the host only, even a constexpr one. With both specifiers it is compiled
// for both.

// [function]
#ifdef FOR_BOTH
__host__ __device__ int square(int x) { return x * x; }
#elif defined(FOR_COMPILER)
constexpr int square(int x) { return x * x; }
#else
int square(int x) { return x * x; }
#endif

/// Squares numbers.
/// @param x  one int for each thread of the block, in device memory, changed in place
__global__ void squares(int* x) { x[threadIdx.x] = square(x[threadIdx.x]); }
// [/function]
