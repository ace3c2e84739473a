// What does a proxy fence cost? Each thread stores a word to shared memory, and then
// the block synchronizes, with a fence before the barrier or without. The difference is
// the price of the fence, and it is paid once a tile.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 256;
constexpr int rounds = 100;

// [kernel]
/// Stores and synchronizes, again and again.
/// @tparam fence   whether each round has a proxy fence
/// @param y        one word for each thread in device memory, written
/// @param cycles   clock cycles of all rounds in device memory, written
template <bool fence>
__global__ void store_and_sync(unsigned* y, long long* cycles) {
    __shared__ unsigned words[block_size];
    unsigned word = threadIdx.x;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1  // one copy of the loop's body, which is easier to read
    for (int round = 0; round < rounds; ++round) {
        words[threadIdx.x] = word + round;
        if (fence) ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        word = words[(threadIdx.x + 1) % block_size];
        __syncthreads();
    }
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    y[threadIdx.x] = word;
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<unsigned> expected(block_size);
    for (int t = 0; t < block_size; ++t)
        expected[t] = (t + rounds) % block_size + rounds * (rounds - 1) / 2;
    lockstep::device_buffer<unsigned> d_y(block_size);
    lockstep::device_buffer<long long> d_cycles(1);
    bool right = true;
    const auto show = [&](const char* name, auto kernel) {
        std::vector<long long> samples;
        for (int run = 0; run < 22; ++run) {
            d_y.fill_bytes(0xFF);
            kernel<<<1, block_size>>>(d_y.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            right = right && d_y.to_host() == expected;
            if (run > 0) samples.push_back(d_cycles.to_host()[0]);
        }
        std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
        lockstep::report(name, lockstep::measured{double(samples[10]) / rounds},
                         "cycles");
    };
    show("round without a fence", store_and_sync<false>);
    show("round with a fence", store_and_sync<true>);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
