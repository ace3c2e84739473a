// What does the smallest complete CUDA program look like? A function that the GPU runs,
// a launch that starts eight threads of it, and a call that waits until all have ended.
// It uses nothing but the CUDA toolkit.

#include <cstdio>

// [kernel]
/// Prints which thread it is.
__global__ void hello() {
    printf("hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}
// [/kernel]

int main() {
    // [launch]
    hello<<<2, 4>>>();
    cudaDeviceSynchronize();
    const cudaError_t error = cudaGetLastError();
    // [/launch]
    // [status]
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
        return 1;
    }
    // [/status]
    std::printf("hello from the host\n");
    return 0;
}
