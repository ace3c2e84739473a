#pragma once
/// @file
/// Verifies and times the rungs of the reduction ladder.

#include <cstdint>
#include <cstdlib>

#include <cub/device/device_reduce.cuh>

#include <lockstep/arguments.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/peak.hpp>
#include <lockstep/random.hpp>

namespace lockstep {

/// Adds up arrays of awkward sizes, then a large one against CUB and a sweep that only
/// reads, and prints how it went.
///
/// The elements are random 32-bit words and the sum is taken modulo 2^32, so every
/// order of additions gives the same result and the comparison with the host's sum is
/// exact.
///
/// @param argc  as main received it
/// @param argv  as main received it; `--n` sets the number of elements, `--csv` writes
///              the result, `--once` does the large one once and times nothing, for a
///              profiler
/// @param rung  the rung's name
/// @param sum   callable (std::size_t n, const std::uint32_t* x, std::uint32_t*
///              scratch, std::uint32_t* result) that enqueues the sum of n words in
///              device memory, aligned to 256 bytes; `scratch` holds n / 128 + 2 words
/// @return exit status: success if every sum was right
template <class Sum>
int judge_reduction(int argc, char** argv, const char* rung, Sum sum) {
    arguments arguments(argc, argv);
    const std::size_t n = arguments.integer("n", 1 << 28, 1, 1ll << 30);
    const char* csv = arguments.text("csv");
    const bool once = arguments.flag("once");
    arguments.finish();
    require_device();

    device_buffer<std::uint32_t> x(n);
    device_buffer<std::uint32_t> scratch(n / 128 + 2);
    device_buffer<std::uint32_t> result(1);
    fill_random(x.data(), n);
    int wrong = 0;
    std::uint32_t expected = 0;
    std::size_t added = 0;
    for (const std::size_t size : {std::size_t(1), std::size_t(33), std::size_t(1000),
                                   std::size_t(1'000'003), n}) {
        if (size > n || size < added || (once && size != n)) continue;
        while (added < size) expected += random_word(added++);
        result.fill_bytes(0xFF);
        sum(size, x.data(), scratch.data(), result.data());
        check(cudaGetLastError());
        wrong += result.to_host()[0] != expected;
    }
    report("elements", n);
    report("wrong sums", wrong);
    if (wrong != 0) return EXIT_FAILURE;
    if (once) return EXIT_SUCCESS;

    std::size_t cub_bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, cub_bytes, x.data(), result.data(), n));
    device_buffer<char> cub_scratch(cub_bytes);
    const double bytes = 1.0 * n * sizeof(std::uint32_t);
    comparison comparison("GB/s", 1e9);
    comparison.add(rung, bytes,
                   [&] { sum(n, x.data(), scratch.data(), result.data()); });
    comparison.add("cub::DeviceReduce", bytes, [&] {
        check(cub::DeviceReduce::Sum(cub_scratch.data(), cub_bytes, x.data(),
                                     result.data(), n));
    });
    comparison.add("reading alone", bytes,
                   [&] { read_sweep(x.data(), n, result.data()); });
    comparison.run();
    comparison.print();
    comparison.write(
        csv, "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_cub,~percent_of_reading");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
