// What can the compiler tell about a kernel? Registers, stack and spills with
// -res-usage. Warnings, if asked for, when a kernel needs local memory. What it
// inlined. One kernel here keeps 48 numbers in each thread, so that a cap on registers
// has an effect; the other calls a function that must not be inlined.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int values = 48;

// [functions]
/// A step of a hash.
/// @param a  any number
/// @param b  any number
__host__ __device__ unsigned hashed(unsigned a, unsigned b) {
    return (a ^ b) * 2654435761U;
}

/// The same, never inlined.
/// @param a  any number
/// @param b  any number
__device__ __noinline__ unsigned hashed_by_call(unsigned a, unsigned b) {
    return hashed(a, b);
}
// [/functions]

// [kernels]
/// Mixes 48 numbers of each thread.
/// @param rounds  how often
/// @param data    48 numbers for each thread on the device, changed in place
__global__ void mix(int rounds, unsigned* data) {
    unsigned* mine = data + threadIdx.x;
    unsigned value[values];
#pragma unroll
    for (int i = 0; i < values; ++i) value[i] = mine[i * block_size];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < values; ++i)
            value[i] = hashed(value[i], value[(i + 7) % values]) + round;
    }
#pragma unroll
    for (int i = 0; i < values; ++i) mine[i * block_size] = value[i];
}

/// Hashes each number once.
/// @param x  one number for each thread on the device
__global__ void hash_each(unsigned* x) {
    x[threadIdx.x] = hashed_by_call(x[threadIdx.x], 3);
}
// [/kernels]

int main() {
    lockstep::require_device();

    constexpr int rounds = 16;
    std::vector<unsigned> data(block_size * values);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned>(i);
    lockstep::device_buffer<unsigned> d_data(data);
    hash_each<<<1, block_size>>>(d_data.data());
    lockstep::check(cudaGetLastError());
    mix<<<1, block_size>>>(rounds, d_data.data());
    lockstep::check(cudaGetLastError());

    std::vector<unsigned> expected = data;
    for (int i = 0; i < block_size; ++i) expected[i] = hashed(expected[i], 3);
    for (int thread = 0; thread < block_size; ++thread) {
        unsigned* mine = expected.data() + thread;
        for (int round = 0; round < rounds; ++round)
            for (int i = 0; i < values; ++i)
                mine[i * block_size] =
                    hashed(mine[i * block_size], mine[(i + 7) % values * block_size]) +
                    round;
    }
    cudaFuncAttributes attributes{};
    lockstep::check(cudaFuncGetAttributes(&attributes, mix));
    const std::size_t wrong = lockstep::count_mismatches(d_data.to_host(), expected);
    lockstep::report("registers of mix", attributes.numRegs);
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
