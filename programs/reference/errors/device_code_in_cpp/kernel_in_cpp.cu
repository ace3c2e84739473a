// What happens to a kernel in a file that ends in .cpp? nvcc hands the file to the host
// compiler, which knows neither __global__ nor threadIdx.

// [kernel]
/// Each thread writes its number.
/// @param out  one int for each thread of the block, in device memory
__global__ void number(int* out) { out[threadIdx.x] = threadIdx.x; }
// [/kernel]
