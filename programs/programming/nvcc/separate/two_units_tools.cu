// What must a file look like whose variables and functions serve kernels of other
// files? Here is one for GPU memory and GPU code, without a kernel and without `main`.
// A `const` variable is private to its file in C++, unless its definition says
// `extern`.

// [definitions]
__device__ int calls = 0;

#ifdef FORGET_EXTERN
__constant__ const int base = 15;
#else
extern __constant__ const int base = 15;
#endif

/// Adds the base to x and counts.
/// @param x  any number
__device__ int shifted(int x) {
    atomicAdd(&calls, 1);
    return base + x;
}
// [/definitions]
