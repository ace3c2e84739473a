// Plants one defect, named by the argument; without one, the same work done right.

#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void touch(int* x, int i) { x[i] = 1; }
__global__ void look(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void race(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x] = 0;
    __syncthreads();
    shared[threadIdx.x] = int(threadIdx.x);
    y[threadIdx.x] = shared[63 - threadIdx.x];
}
__global__ void same_value(int* y) {
    __shared__ int shared;
    shared = 7;
    __syncthreads();
    y[threadIdx.x] = shared;
}
__global__ void two_writers(int* y) {
    __shared__ int shared;
    shared = int(threadIdx.x);
    __syncthreads();
    y[threadIdx.x] = shared;
}
__global__ void write_after_read(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x] = 0;
    __syncthreads();
    y[threadIdx.x] = shared[0];
    shared[threadIdx.x] = 1;
}
__global__ void uninitialised(int* y) {
    __shared__ int shared[64];
    if (threadIdx.x != 5) shared[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = shared[threadIdx.x];
}
__global__ void outside_shared(int* y) {
    __shared__ int shared[64];
    shared[threadIdx.x + 1] = 1;
    __syncthreads();
    y[threadIdx.x] = shared[1];
}
__global__ void two_barriers(int* y) {
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    y[threadIdx.x] = 0;
}
__global__ void lonely_lane(int* y) {
    int value = 0;
    if (threadIdx.x < 16) value = __shfl_sync(0xffffffffU, 1, 0);
    __syncthreads();
    y[threadIdx.x] = value;
}
__global__ void ended_lane(int* y) {
    if (threadIdx.x == 3) return;
    y[threadIdx.x] = __shfl_sync(0xffffffffU, 1, 0);
}
__global__ void not_named(int* y) { y[threadIdx.x] = __shfl_sync(1U, 1, 0); }
__global__ void waits_for_ever(volatile int* y) {
    while (y[0] == 0) {
    }
}
__global__ void misaligned(char* y) { *reinterpret_cast<int*>(y + 1) = 1; }
__global__ void asserts(int* y) { assert(y == nullptr); }
__global__ void traps(int*) { __trap(); }

__global__ void copies(float4* to, const float4* from) { *to = *from; }

int main(int argc, char** argv) {
    const char* defect = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(defect, name) == 0; };
    int* x = nullptr;
    int* y = nullptr;
    int* host = new int[64]();
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemset(y, 0, 64 * sizeof(int));
    if (!is("never written")) cudaMemset(x, 0, 64 * sizeof(int));
    if (is("out of bounds")) touch<<<1, 1>>>(x, 64);
    if (is("before")) touch<<<1, 1>>>(x, -1);
    if (is("null")) touch<<<1, 1>>>(nullptr, 0);
    if (is("host memory")) touch<<<1, 1>>>(host, 0);
    if (is("freed")) {
        cudaFree(x);
        touch<<<1, 1>>>(x, 0);
    }
    if (is("race")) race<<<1, 64>>>(y);
    if (is("two writers")) two_writers<<<1, 64>>>(y);
    if (is("write after read")) write_after_read<<<1, 64>>>(y);
    if (is("uninitialised")) uninitialised<<<1, 64>>>(y);
    if (is("outside shared")) outside_shared<<<1, 64>>>(y);
    if (is("two barriers")) two_barriers<<<1, 64>>>(y);
    if (is("lonely lane")) lonely_lane<<<1, 32>>>(y);
    if (is("ended lane")) ended_lane<<<1, 32>>>(y);
    if (is("not named")) not_named<<<1, 32>>>(y);
    if (is("for ever")) waits_for_ever<<<1, 1>>>(y);
    if (is("misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char*>(y));
    if (is("misaligned copy")) copies<<<1, 1>>>(reinterpret_cast<float4*>(y), reinterpret_cast<float4*>(x + 1));
    if (is("assert")) asserts<<<1, 1>>>(y);
    if (is("trap")) traps<<<1, 1>>>(y);
    same_value<<<1, 64>>>(y);
    look<<<1, 64>>>(x, y);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
    delete[] host;
    return 0;
}
