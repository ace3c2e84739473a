// Copy, rung 4: do more loads in flight help? Each thread issues four loads of 16 bytes
// before it uses the first result.

#include <cstddef>
#include <cstdint>

#include <lockstep/check.hpp>
#include <lockstep/ladders/copy.hpp>

constexpr int block_size = 256;
constexpr int loads = 4;

/// Copies an array with a grid-stride loop, four chunks of four words at a time.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
// [kernel]
__global__ void copy_in_flight(std::size_t n, const std::uint32_t* from,
                               std::uint32_t* to) {
    const auto* from4 = reinterpret_cast<const uint4*>(from);
    auto* to4 = reinterpret_cast<uint4*>(to);
    const std::size_t step = std::size_t(gridDim.x) * block_size * loads;
    for (std::size_t first = blockIdx.x * std::size_t(block_size * loads) + threadIdx.x;
         first < n / 4; first += step) {
        uint4 words[loads];
#pragma unroll
        for (int load = 0; load < loads; ++load)
            if (first + load * block_size < n / 4)
                words[load] = from4[first + load * block_size];
#pragma unroll
        for (int load = 0; load < loads; ++load)
            if (first + load * block_size < n / 4)
                to4[first + load * block_size] = words[load];
    }
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        to[n - 1 - threadIdx.x] = from[n - 1 - threadIdx.x];
}
// [/kernel]

// [launch]
/// Enqueues the copy of n words.
void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    copy_in_flight<<<sms * 8, block_size>>>(n, from, to);
    lockstep::check(cudaGetLastError());
}
// [/launch]

int main(int argc, char** argv) {
    return lockstep::benchmark_copy(argc, argv, "4 loads in flight", 50, copy);
}
