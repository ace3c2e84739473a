// What does nvcc say if a kernel calls a device function of another file? By default
// each file's device code has to be complete. With -rdc=true it is linked, and then the
// linker for device code misses the function if no object file holds it.

// [file]
#ifdef SECOND_FILE
__device__ int twice(int x) { return 2 * x; }
#else
__device__ int twice(int x);

/// Doubles numbers.
/// @param x  one int for each thread of the block, in device memory, changed in place
__global__ void double_all(int* x) { x[threadIdx.x] = twice(x[threadIdx.x]); }

int main() {}
#endif
// [/file]
