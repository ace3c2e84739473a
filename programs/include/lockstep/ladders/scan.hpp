#pragma once
/// @file
/// Verifies and times the rungs of the scan ladder.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cub/device/device_scan.cuh>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Scans arrays of awkward sizes, then a large one against CUB and a copy, and prints
/// how it went.
///
/// The elements are random 32-bit words and the sums are taken modulo 2^32, so every
/// order of additions gives the same result and the comparison with the host's scan is
/// exact.
///
/// @param argc            as main received it
/// @param argv            as main received it; `--n` sets the number of elements,
///                        `--csv` writes the result, `--once` does the large one once
///                        and times nothing, for a profiler; `--untimed` leaves out
///                        the comparison, for a sanitizer
/// @param rung            the rung's name
/// @param min_capability  lowest compute capability that can run it, as major * 10 +
///                        minor
/// @param scan            callable (std::size_t n, const std::uint32_t* x,
///                        std::uint32_t* sums, std::uint32_t* scratch) that enqueues
///                        the inclusive sums of n words in device memory, aligned to
///                        256 bytes; `scratch` holds n / 64 + 64 words
/// @return exit status: success if every word of every scan was right
template <class Scan>
int benchmark_scan(int argc, char** argv, const char* rung, int min_capability,
                   Scan scan) {
    command_line options(argc, argv);
    const auto n = options.integer<std::size_t>("n", 1 << 28, 1, 1ll << 30);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
    require_device(min_capability);

    device_buffer<std::uint32_t> x(n);
    device_buffer<std::uint32_t> sums(n + 1);
    device_buffer<std::uint32_t> scratch(n / 64 + 64);
    fill_random(x.data(), n);
    std::size_t wrong = 0;
    for (const std::size_t size : {std::size_t(1), std::size_t(33), std::size_t(1000),
                                   std::size_t(1'000'003), n}) {
        if (size > n || (once && size != n)) continue;
        sums.fill_bytes(0xFF);
        scan(size, x.data(), sums.data(), scratch.data());
        check(cudaGetLastError());
        std::vector<std::uint32_t> found(size + 1);
        check(cudaMemcpy(found.data(), sums.data(), (size + 1) * sizeof(std::uint32_t),
                         cudaMemcpyDeviceToHost));
        std::uint32_t expected = 0;
        for (std::size_t i = 0; i < size; ++i)
            wrong += found[i] != (expected += random_word(i));
        wrong += found[size] != 0xFFFFFFFF;  // nothing after the end
    }
    report("elements", n);
    report("wrong elements", wrong);
    if (wrong != 0) return EXIT_FAILURE;
    if (once || untimed) return EXIT_SUCCESS;

    std::size_t cub_bytes = 0;
    check(cub::DeviceScan::InclusiveSum(nullptr, cub_bytes, x.data(), sums.data(), n));
    device_buffer<char> cub_scratch(cub_bytes);
    const double bytes = 2.0 * n * sizeof(std::uint32_t);  // read and written, once
    comparison rates("GB/s", 1e9);
    rates.add(rung, bytes, [&] { scan(n, x.data(), sums.data(), scratch.data()); });
    rates.add("cub::DeviceScan", bytes, [&] {
        check(cub::DeviceScan::InclusiveSum(cub_scratch.data(), cub_bytes, x.data(),
                                            sums.data(), n));
    });
    rates.add("copy", bytes, [&] {
        check(cudaMemcpyAsync(sums.data(), x.data(), n * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToDevice));
    });
    rates.run();
    rates.print();
    rates.write(csv,
                "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_cub,~percent_of_copy");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
