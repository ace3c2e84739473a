// Can you use a GPU without writing a kernel? Yes: Thrust, which comes with the
// toolkit, has the algorithms of the C++ standard library for data in device memory.
// This program sorts with both.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <lockstep/command_line.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1, 1 << 28);
    options.finish();
    lockstep::require_device();

    std::vector<std::uint32_t> keys(n);
    std::uint32_t state = 1;
    for (std::uint32_t& key : keys) {
        state = state * 1664525u + 1013904223u;
        key = state;
    }

    // [sort]
    const thrust::device_vector<std::uint32_t> d_keys(keys.begin(), keys.end());
    thrust::device_vector<std::uint32_t> d_sorted(n);
    const auto gpu = lockstep::time_on_device([&] {
        thrust::copy(d_keys.begin(), d_keys.end(), d_sorted.begin());
        thrust::sort(d_sorted.begin(), d_sorted.end());
    });
    // [/sort]
    std::vector<std::uint32_t> sorted;
    const auto cpu = lockstep::time_on_host(
        [&] {
            sorted = keys;
            std::sort(sorted.begin(), sorted.end());
        },
        1);

    std::vector<std::uint32_t> found(n);
    thrust::copy(d_sorted.begin(), d_sorted.end(), found.begin());
    lockstep::report("keys", n);
    lockstep::report("std::sort, one CPU thread",
                     lockstep::measured{cpu.per_second(n) * 1e-6}, "million keys/s");
    lockstep::report("thrust::sort", lockstep::measured{gpu.per_second(n) * 1e-6},
                     "million keys/s");
    lockstep::report("equal to std::sort", found == sorted);
    return found == sorted ? EXIT_SUCCESS : EXIT_FAILURE;
}
