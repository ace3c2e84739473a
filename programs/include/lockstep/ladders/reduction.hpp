#pragma once
/// @file
/// Verifies and times the rungs of the reduction ladder.

#include <cstdint>
#include <cstdlib>

#include <cub/device/device_reduce.cuh>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/peak.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

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
///              profiler; `--untimed` leaves out the comparison, for a sanitizer
/// @param rung  the rung's name
/// @param sum   callable (std::size_t n, const std::uint32_t* x, std::uint32_t*
///              scratch, std::uint32_t* result) that enqueues the sum of n words in
///              device memory, aligned to 256 bytes; `scratch` holds n / 128 + 2 words
/// @return exit status: success if every sum was right
template <class Sum>
int benchmark_reduction(int argc, char** argv, const char* rung, Sum sum) {
    command_line options(argc, argv);
    const auto n = options.integer<std::size_t>("n", 1 << 28, 1, 1ll << 30);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
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
    if (once || untimed) return EXIT_SUCCESS;

    std::size_t cub_bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, cub_bytes, x.data(), result.data(), n));
    device_buffer<char> cub_scratch(cub_bytes);
    const double bytes = 1.0 * n * sizeof(std::uint32_t);
    comparison rates("GB/s", 1e9);
    rates.add(rung, bytes, [&] { sum(n, x.data(), scratch.data(), result.data()); });
    rates.add("cub::DeviceReduce", bytes, [&] {
        check(cub::DeviceReduce::Sum(cub_scratch.data(), cub_bytes, x.data(),
                                     result.data(), n));
    });
    rates.add("reading alone", bytes, [&] { read_sweep(x.data(), n, result.data()); });
    rates.run();
    rates.print();
    rates.write(
        csv, "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_cub,~percent_of_reading");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
