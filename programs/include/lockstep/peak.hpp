#pragma once
/// @file
/// What the memory of this GPU can do, measured: the peak that a kernel is compared
/// with.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Reads an array and keeps nothing of it, eight loads of 16 bytes in flight for each
/// thread.
/// @param n     number of elements
/// @param data  n elements in device memory
/// @param odd   one word in device memory, written only if all bits of all elements
///              come out as zero
static __global__ void read_everything(std::size_t n, const uint4* __restrict__ data,
                                       std::uint32_t* odd) {
    constexpr int loads = 8;
    const std::size_t tile = std::size_t(blockDim.x) * loads;
    std::uint32_t any = 0;
    for (std::size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        uint4 words[loads] = {};
#pragma unroll
        for (int load = 0; load < loads; ++load) {
            const std::size_t i = first + load * blockDim.x + threadIdx.x;
            if (i < n) words[load] = data[i];
        }
#pragma unroll
        for (int load = 0; load < loads; ++load)
            any |= words[load].x | words[load].y | words[load].z | words[load].w;
    }
    if (any == 0) *odd = 1;
}

/// Enqueues a sweep that reads an array: the peak for kernels that only read.
/// @param data   n words in device memory
/// @param n      number of words; the last n % 4 are left out
/// @param odd    one word in device memory, for the compiler's sake
/// @param file, line  place of the caller; leave them out
inline void read_sweep(const std::uint32_t* data, std::size_t n, std::uint32_t* odd,
                       const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
    int sms = 0;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0), file, line);
    read_everything<<<sms * 4, 512>>>(n / 4, reinterpret_cast<const uint4*>(data), odd);
    check(cudaGetLastError(), file, line);
}

}  // namespace lockstep
