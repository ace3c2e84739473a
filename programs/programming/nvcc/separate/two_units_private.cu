// The same with a mistake: the definition of the `const` variable does not say
// `extern`, so the variable is private to this file.

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
