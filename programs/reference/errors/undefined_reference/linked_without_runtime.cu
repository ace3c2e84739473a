// What does the linker say if the CUDA runtime library is missing? It names each
// function of the runtime that the program, or the code that nvcc added, calls.

// [program]
/// Writes 1.
/// @param out  one int in device memory
__global__ void one(int* out) { *out = 1; }

int main() {
    int* out = nullptr;
    if (cudaMalloc(&out, sizeof(int)) != cudaSuccess) return 1;
    one<<<1, 1>>>(out);
    return cudaFree(out) == cudaSuccess ? 0 : 1;
}
// [/program]
