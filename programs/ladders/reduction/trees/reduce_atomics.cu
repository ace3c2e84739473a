// Reduction, rung 1: what if every thread adds its element to the result with an atomic
// operation? The result is right, but the kernel is slow: all atomic operations update
// one address, one after another.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/reduction.hpp>

constexpr int block_size = 256;

// [kernel]
/// Adds every element to the result.
/// @param n       number of elements
/// @param x       n words in device memory
/// @param result  one word in device memory, zero at first
__global__ void reduce_atomics(std::size_t n, const std::uint32_t* x,
                               std::uint32_t* result) {
    const std::size_t i = blockIdx.x * std::size_t(block_size) + threadIdx.x;
    if (i < n) atomicAdd(result, x[i]);
}
// [/kernel]

// [launch]
/// Enqueues the sum of n words.
void sum(std::size_t n, const std::uint32_t* x, std::uint32_t* /*scratch*/,
         std::uint32_t* result) {
    lockstep::check(cudaMemsetAsync(result, 0, sizeof *result));
    const std::size_t blocks = (n + block_size - 1) / block_size;
    reduce_atomics<<<static_cast<unsigned>(blocks), block_size>>>(n, x, result);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_reduction(argc, argv, "atomics", sum);
}
