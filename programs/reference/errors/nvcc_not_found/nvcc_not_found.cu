// What does a shell say that does not find nvcc? That the command does not exist,
// though the compiler is installed: its folder is not in PATH.

// [kernel]
/// Writes 1.
/// @param out  one int in device memory
__global__ void one(int* out) { *out = 1; }
// [/kernel]
