// How do threads share memory of the device heap? One thread allocates and passes the
// pointer on: to its block through shared memory, to later kernels through global
// memory. The host can neither copy nor free what a kernel allocated, nor resize the
// heap then.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 4;
constexpr int threads = 64;

// [own]
/// Allocates for each thread alone, and frees at once.
/// @param sum  one int in device memory, increased
__global__ void one_for_each_thread(int* sum) {
    auto* own = static_cast<int*>(malloc(4 * sizeof(int)));
    if (own == nullptr) return;
    for (int i = 0; i < 4; ++i) own[i] = i;
    atomicAdd(sum, own[0] + own[1] + own[2] + own[3]);
    free(own);  // any thread of any kernel may do that, once
}
// [/own]

// [block]
/// Allocates one array for each block, and keeps it.
/// @param kept  one pointer for each block in device memory, written
__global__ void one_for_each_block(int** kept) {
    __shared__ int* array;
    if (threadIdx.x == 0) {
        array = static_cast<int*>(malloc(threads * sizeof(int)));
        kept[blockIdx.x] = array;
    }
    __syncthreads();  // now all threads know the pointer
    if (array != nullptr) array[threadIdx.x] = threadIdx.x;
}

/// Adds up what an earlier kernel left, and frees it.
/// @param kept  one pointer for each block in device memory
/// @param sum   one int in device memory, increased
__global__ void add_up_and_free(int** kept, int* sum) {
    int* const array = kept[blockIdx.x];
    if (array == nullptr) return;
    atomicAdd(sum, array[threadIdx.x]);
    __syncthreads();  // all threads have read it
    if (threadIdx.x == 0) free(array);
}
// [/block]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_own(1), d_shared(1);
    lockstep::device_buffer<int*> d_kept(blocks);
    d_own.fill_bytes(0);
    d_shared.fill_bytes(0);
    one_for_each_thread<<<blocks, threads>>>(d_own.data());
    lockstep::check(cudaGetLastError());
    one_for_each_block<<<blocks, threads>>>(d_kept.data());
    lockstep::check(cudaGetLastError());

    // [host]
    int* const of_kernel = d_kept.to_host()[0];
    int copy = 0;
    const cudaError_t copied =
        cudaMemcpy(&copy, of_kernel, sizeof copy, cudaMemcpyDeviceToHost);
    const cudaError_t freed = cudaFree(of_kernel);
    const cudaError_t resized = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20);
    // [/host]
    cudaGetLastError();  // the errors were asked for
    std::size_t heap = 0;
    lockstep::check(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));

    add_up_and_free<<<blocks, threads>>>(d_kept.data(), d_shared.data());
    lockstep::check(cudaGetLastError());
    const int own = d_own.to_host()[0];
    const int shared = d_shared.to_host()[0];
    lockstep::report("sum of arrays of threads", own);
    lockstep::report("sum of arrays of blocks", shared);
    lockstep::report("host copies", cudaGetErrorName(copied));
    lockstep::report("host frees", cudaGetErrorName(freed));
    lockstep::report("host resizes the heap", cudaGetErrorName(resized));
    lockstep::report("size of the heap", heap >> 20, "MiB");
    const bool sums = own == blocks * threads * (0 + 1 + 2 + 3) &&
                      shared == blocks * threads * (threads - 1) / 2;
    const bool refused = copied != cudaSuccess && freed != cudaSuccess;
    return sums && refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
