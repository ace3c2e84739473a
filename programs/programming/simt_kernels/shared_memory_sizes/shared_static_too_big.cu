// May a static array be larger than 48 KiB? No: its size is fixed in the code, so the
// assembler can refuse it, on every architecture. Larger arrays must be dynamic.

// [too-big]
/// Has one int too many in shared memory.
/// @param result  one int in device memory
__global__ void one_too_many(int* result) {
    __shared__ int words[48 * 1024 / 4 + 1];
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    *result = words[blockDim.x - 1 - threadIdx.x];
}
// [/too-big]
