// What does nvcc say of a GPU that it cannot compile for, here one that is too old for
// this toolkit? It ends before it looks at the source.

// [kernel]
/// Writes 1.
/// @param out  one int in device memory
__global__ void one(int* out) { *out = 1; }
// [/kernel]
