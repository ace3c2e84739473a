// May cudaFreeAsync free what cudaMalloc gave, and cudaFree what cudaMallocAsync gave?
// Both are allowed. The first is ordered by its stream; the second does not wait for
// the GPU, so the program itself must.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores a number.
/// @param x       one int in device memory, written
/// @param number  the number
__global__ void put(int* x, int number) { *x = number; }

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    int* plain = nullptr;
    int* pooled = nullptr;
    int found[2] = {};
    // [plain]
    lockstep::check(cudaMalloc(&plain, sizeof(int)));  // complete when it returns
    put<<<1, 1, 0, stream>>>(plain, 17);
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpyAsync(&found[0], plain, sizeof(int), cudaMemcpyDefault, stream));
    lockstep::check(cudaFreeAsync(plain, stream));  // after the copy
    // [/plain]
    // [pooled]
    lockstep::check(cudaMallocAsync(&pooled, sizeof(int), stream));
    put<<<1, 1, 0, stream>>>(pooled, 42);
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpyAsync(&found[1], pooled, sizeof(int), cudaMemcpyDefault, stream));
    lockstep::check(cudaStreamSynchronize(stream));  // cudaFree will not wait
    lockstep::check(cudaFree(pooled));
    // [/pooled]
    lockstep::report("cudaMalloc, cudaFreeAsync", found[0]);
    lockstep::report("cudaMallocAsync, cudaFree", found[1]);
    return found[0] == 17 && found[1] == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
