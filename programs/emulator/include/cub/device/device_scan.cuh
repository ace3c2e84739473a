// CUB's inclusive sums of an array, by one thread.
#pragma once

#include <cuda_runtime.h>

template <class In, class Out>
static __global__ void __emu_inclusive_sum(In in, Out out, long long n) {
    auto sum = in[0] + in[0];
    sum = 0;
    for (long long i = 0; i < n; ++i) out[i] = sum += in[i];
}

namespace cub {
struct DeviceScan {
    /// Without scratch memory, says how many bytes of it are wanted; else enqueues the sums.
    template <class In, class Out>
    static cudaError_t InclusiveSum(void* scratch, size_t& bytes, In in, Out out, long long n,
                                    cudaStream_t stream = nullptr) {
        if (!scratch) {
            bytes = 1;
            return cudaSuccess;
        }
        if (n > 0) __emu_inclusive_sum<<<1, 1, 0, stream>>>(in, out, n);
        return cudaGetLastError();
    }
};
}  // namespace cub
