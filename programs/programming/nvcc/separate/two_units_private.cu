// Why does the linker not find `base`? In C++ a `const` variable is private to its
// file, and this definition does not say `extern`. So it cannot be linked with
// two_units.cu, which uses the variable.

// [definitions]
__device__ int calls = 0;

__constant__ const int base = 15;  // private to this file

/// Adds the base to x and counts.
/// @param x  any number
__device__ int shifted(int x) {
    atomicAdd(&calls, 1);
    return base + x;
}
// [/definitions]
