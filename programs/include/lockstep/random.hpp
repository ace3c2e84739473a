#pragma once
/// @file
/// Random data that the host can compute again: the same word for the same place, on
/// both sides.

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// The random word of a place, all 32 bits of it.
///
/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014) over a counter.
///
/// @param place  any number
/// @param seed   another sequence for another seed
__host__ __device__ inline std::uint32_t random_word(std::uint64_t place,
                                                     std::uint64_t seed = 0) {
    std::uint64_t z = (place + 1 + (seed << 40)) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

/// Writes random_word(i) into element i.
/// @param n     number of words
/// @param data  n words in device memory
/// @param seed  of the sequence
static __global__ void fill_random_words(std::size_t n, std::uint32_t* data,
                                         std::uint64_t seed) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        data[i] = random_word(i, seed);
}

/// Fills device memory with random words, in the default stream.
/// @param data  n words in device memory
/// @param n     number of words
/// @param seed  of the sequence
/// @param file, line  place of the caller; leave them out
inline void fill_random(std::uint32_t* data, std::size_t n, std::uint64_t seed = 0,
                        const char* file = __builtin_FILE(),
                        int line = __builtin_LINE()) {
    fill_random_words<<<1024, 256>>>(n, data, seed);
    check(cudaGetLastError(), file, line);
}

}  // namespace lockstep
