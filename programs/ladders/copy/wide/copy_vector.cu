// Copy, rung 3: what do vector loads bring? Each load and store moves 16 bytes, so one
// instruction of a warp requests 512 bytes instead of 128. Up to three words at the end
// are copied one by one.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

// [kernel]
/// Copies an array with a grid-stride loop, four words at a time.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
__global__ void copy_vector(std::size_t n, const std::uint32_t* from,
                            std::uint32_t* to) {
    const auto* from4 = reinterpret_cast<const uint4*>(from);
    auto* to4 = reinterpret_cast<uint4*>(to);
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    const std::size_t thread = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    for (std::size_t i = thread; i < n / 4; i += step) to4[i] = from4[i];
    if (thread < n % 4) to[n - 1 - thread] = from[n - 1 - thread];
}
// [/kernel]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    constexpr int block_size = 256;
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    copy_vector<<<sms * 8, block_size>>>(n, from, to);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "16-byte loads", 50, copy);
}
