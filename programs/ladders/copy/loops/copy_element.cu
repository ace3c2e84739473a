// Copy, rung 1: how fast is the simplest copy kernel? One thread per element, one load
// and one store of four bytes.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

// [kernel]
/// Copies an array, one word for each thread.
/// @param n     number of words
/// @param from  n words in device memory
/// @param to    n words in device memory
__global__ void copy_element(std::size_t n, const std::uint32_t* from,
                             std::uint32_t* to) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n) to[i] = from[i];
}
// [/kernel]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    constexpr int block_size = 256;
    const std::size_t blocks = (n + block_size - 1) / block_size;
    copy_element<<<static_cast<unsigned>(blocks), block_size>>>(n, from, to);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "one element", 50, copy);
}
