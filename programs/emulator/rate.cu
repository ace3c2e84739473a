// How fast does the emulator go? It counts barriers, accesses to memory and plain arithmetic, of
// all threads together.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

/// Waits at a barrier again and again.
/// @param rounds  how often
__global__ void wait(int rounds) {
    for (int round = 0; round < rounds; ++round) __syncthreads();
}

/// Reads the same element again and again.
/// @param rounds  how often
/// @param x       one int for each thread of a block in device memory, read
/// @param y       as many, written: the sums
__global__ void look(int rounds, const volatile int* x, int* y) {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) sum += x[threadIdx.x];
    y[threadIdx.x] = sum;
}

/// Exchanges values with the next lane again and again.
/// @param rounds  how often
/// @param y       one int for each thread of a block in device memory, written
__global__ void shuffle(int rounds, int* y) {
    int sum = int(threadIdx.x);
    for (int round = 0; round < rounds; ++round) sum += __shfl_xor_sync(0xffffffffU, sum, 1);
    y[threadIdx.x] = sum;
}

/// Copies elements, each one larger.
/// @param n  number of elements
/// @param x  n ints in device memory, read
/// @param y  n ints in device memory, written
__global__ void copy(int n, const int* x, int* y) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = x[i] + 1;
}

/// Computes random numbers.
/// @param rounds  how many for each thread
/// @param y       one number for each thread of a block in device memory, written
__global__ void calculate(int rounds, unsigned* y) {
    unsigned x = threadIdx.x;
    for (int round = 0; round < rounds; ++round) x = x * 1664525U + 1013904223U;
    y[threadIdx.x] = x;
}

// Prints how many events a second `work` brings about, in millions.
template <class Work>
void rate(const char* label, double events, Work work) {
    work();  // the second run finds all fibers and pages there
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    work();
    if (cudaDeviceSynchronize() != cudaSuccess) std::printf("failed: ");
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%-28s~%.3g million a second\n", label, events / seconds.count() * 1e-6);
}

int main() {
    constexpr int threads = 256;
    constexpr int n = 1 << 20;
    int* x = nullptr;
    int* y = nullptr;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));
    rate("thread-barriers", 2000.0 * threads, [&] { wait<<<1, threads>>>(2000); });
    rate("shuffles of a thread", 2000.0 * threads, [&] { shuffle<<<1, threads>>>(2000, y); });
    rate("volatile reads of a thread", 2000.0 * threads, [&] { look<<<1, threads>>>(2000, x, y); });
    rate("threads that copy a number", n, [&] { copy<<<n / threads, threads>>>(n, x, y); });
    rate("multiply-adds of a thread", 1e5 * threads,
         [&] { calculate<<<1, threads>>>(100000, reinterpret_cast<unsigned*>(y)); });
    return 0;
}
