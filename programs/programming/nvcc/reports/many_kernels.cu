// What makes a file large, and its compilation long? This one has a kernel template and
// 32 instances of it, each with loops of its own. Options choose how the machine code
// is packed, how many threads compile it, and how hard the compiler tries.

#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Mixes `width` numbers.
/// @tparam width  how many; the loops over them are unrolled
/// @param rounds  how often
/// @param data    `width` numbers on the device, changed in place
template <int width>
__global__ void mix(int rounds, unsigned* data) {
    unsigned value[width];
#pragma unroll
    for (int i = 0; i < width; ++i) value[i] = data[i];
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < width; ++i)
            value[i] = (value[i] ^ value[(i + 7) % width]) * 2654435761U + round;
    }
#pragma unroll
    for (int i = 0; i < width; ++i) data[i] = value[i];
}
// [/kernel]

// [instances]
/// Launches an instance for each index, of width 2, 4, 6 and so on, one after the
/// other.
/// @param rounds  rounds of each
/// @param data    at least as many numbers as the largest width, on the device
template <int... index>
void launch_all(int rounds, unsigned* data,
                std::integer_sequence<int, index...> /*indices*/) {
    (mix<2 * index + 2><<<1, 1>>>(rounds, data), ...);
}
// [/instances]

int main() {
    lockstep::require_device();

    constexpr int instances = 32;
    constexpr int rounds = 4;
    std::vector<unsigned> expected(2 * instances);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = static_cast<unsigned>(i);
    lockstep::device_buffer<unsigned> d_data(expected);
    launch_all(rounds, d_data.data(), std::make_integer_sequence<int, instances>());
    lockstep::check(cudaGetLastError());

    for (int width = 2; width <= 2 * instances; width += 2)
        for (int round = 0; round < rounds; ++round)
            for (int i = 0; i < width; ++i)
                expected[i] =
                    (expected[i] ^ expected[(i + 7) % width]) * 2654435761U + round;
    const bool right = d_data.to_host() == expected;
    lockstep::report("kernels", instances);
    lockstep::report("result is right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
