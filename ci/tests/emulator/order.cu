// Prints the order in which blocks and threads came, and what streams do to one another.

#include <cuda_runtime.h>

#include <cstdio>

__global__ void sign(int* next, int* who) {
    who[atomicAdd(next, 1)] = int(blockIdx.x * blockDim.x + threadIdx.x);
}
__global__ void put(int* place, int value) { *place = value; }
__global__ void add(int* place, int value) { *place = *place * 10 + value; }

int main() {
    int *next = nullptr, *who = nullptr, *x = nullptr;
    cudaMallocManaged(&next, sizeof(int));
    cudaMallocManaged(&who, 16 * sizeof(int));
    cudaMallocHost(&x, sizeof(int));
    sign<<<4, 4>>>(next, who);
    cudaDeviceSynchronize();
    std::printf("order");
    for (int i = 0; i < 16; ++i) std::printf(" %d", who[i]);

    // In one stream, and across streams by an event or the legacy default stream, there is one
    // order under any seed.
    cudaStream_t a = nullptr, b = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreate(&a);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    put<<<1, 1, 0, a>>>(x, 1);
    add<<<1, 1, 0, a>>>(x, 2);
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
    add<<<1, 1, 0, b>>>(x, 3);
    cudaStreamSynchronize(b);
    add<<<1, 1>>>(x, 4);
    add<<<1, 1, 0, a>>>(x, 5);
    std::printf("\nbefore waiting %d\n", cudaStreamQuery(a) == cudaSuccess ? 0 : *x);
    cudaDeviceSynchronize();
    std::printf("after waiting %d\n", *x);
    return *x == 12345 ? 0 : 1;
}
