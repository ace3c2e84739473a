// May a kernel name a variable of the host? No: without __managed__ or __device__ a
// global variable belongs to the host's code alone, and the compiler refuses it. Mark
// it __managed__, or pass its address where pageable memory access is 1.

#include <cstdio>

// [variable]
#if WRONG
int threshold = 42;
#else
__managed__ int threshold = 42;
#endif

/// Prints the threshold.
__global__ void show() { std::printf("%d\n", threshold); }
// [/variable]

int main() {
    show<<<1, 1>>>();
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    return error == cudaSuccess ? 0 : 1;
}
