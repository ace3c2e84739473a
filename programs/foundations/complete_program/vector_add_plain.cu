// What does a complete CUDA program do, from data in host memory to a checked result?
// It allocates device memory, copies the input there, launches one thread for each
// element, copies the result back and frees the memory; and it checks every call. It
// uses nothing but the CUDA toolkit.

#include <cstdio>
#include <cstdlib>
#include <vector>

// [check]
/// Ends the program with a message unless a CUDA call succeeded.
/// @param status  what the call returned
/// @param call    what the program was doing
void check(cudaError_t status, const char* call) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s: %s\n", call, cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}
// [/check]

// [kernel]
/// c = a + b, one thread for each element.
/// @param n  number of elements
/// @param a  n floats in device memory
/// @param b  n floats in device memory
/// @param c  n floats in device memory, written
__global__ void vector_add(int n, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// [/kernel]

int main() {
    // [host]
    const int n = 1000;
    const std::size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n), c(n, -1.0F);
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i);
        b[i] = static_cast<float>(2 * i);
    }
    // [/host]

    // [allocate]
    float* d_a = nullptr;
    float* d_b = nullptr;
    float* d_c = nullptr;
    check(cudaMalloc(&d_a, bytes), "allocate a");
    check(cudaMalloc(&d_b, bytes), "allocate b");
    check(cudaMalloc(&d_c, bytes), "allocate c");
    // [/allocate]

    // [copy-in]
    check(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice), "copy a");
    check(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice), "copy b");
    check(cudaMemset(d_c, 0xFF, bytes), "fill c");  // NaN, until a thread writes
    // [/copy-in]

    // [launch]
    const int block_size = 256;
    const int grid_size = (n + block_size - 1) / block_size;  // rounded up: 4
    vector_add<<<grid_size, block_size>>>(n, d_a, d_b, d_c);
    check(cudaGetLastError(), "launch vector_add");
    check(cudaDeviceSynchronize(), "run vector_add");
    // [/launch]

    // [copy-out]
    check(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost), "copy c");
    // [/copy-out]

    // [free]
    check(cudaFree(d_a), "free a");
    check(cudaFree(d_b), "free b");
    check(cudaFree(d_c), "free c");
    // [/free]

    // [verify]
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += !(c[i] == a[i] + b[i]);  // counts NaN too
    std::printf("elements        %d\n", n);
    std::printf("blocks          %d\n", grid_size);
    std::printf("threads         %d\n", grid_size * block_size);
    std::printf("wrong elements  %d\n", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    // [/verify]
}
