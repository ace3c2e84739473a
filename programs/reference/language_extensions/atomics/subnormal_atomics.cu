// Does an atomic addition of floats keep subnormal numbers, those that are smaller than
// 2^-126? In shared memory it does, and in global memory it replaces them by 0,
// whatever -ftz says. Addition of doubles keeps its subnormal numbers in both.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// A sum of each type.
struct sums {
    float single;  ///< of floats
    double doubled;  ///< of doubles
};

// [kernel]
/// One thread adds subnormal numbers to 0 in both memories.
/// @param tiny       a subnormal float
/// @param tiniest    a subnormal double
/// @param in_global  one element in device memory, at 0
/// @param in_shared  one element in device memory, for what shared memory held
__global__ void add_tiny(float tiny, double tiniest, sums* in_global, sums* in_shared) {
    __shared__ sums block_sums;
    block_sums.single = 0;
    block_sums.doubled = 0;
    atomicAdd(&block_sums.single, tiny);
    atomicAdd(&block_sums.doubled, tiniest);
    *in_shared = block_sums;

    atomicAdd(&in_global->single, tiny);
    atomicAdd(&in_global->doubled, tiniest);
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr float tiny = 1e-40f;
    constexpr double tiniest = 1e-310;
    lockstep::device_buffer<sums> in_global(1), in_shared(1);
    in_global.fill_bytes(0);
    in_shared.fill_bytes(0);
    add_tiny<<<1, 1>>>(tiny, tiniest, in_global.data(), in_shared.data());
    lockstep::check(cudaGetLastError());
    const sums global = in_global.to_host()[0], shared = in_shared.to_host()[0];

    lockstep::report("0 + 1e-40f in shared memory", shared.single);
    lockstep::report("0 + 1e-40f in global memory", global.single);
    lockstep::report("0 + 1e-310 in shared memory", shared.doubled);
    lockstep::report("0 + 1e-310 in global memory", global.doubled);
    const bool kept =
        shared.single == tiny && shared.doubled == tiniest && global.doubled == tiniest;
    return kept && global.single == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
