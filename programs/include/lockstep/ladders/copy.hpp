#pragma once
/// @file
/// Verifies and times the rungs of the copy ladder.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Copies arrays of awkward sizes, then a large one against cudaMemcpyAsync, and prints
/// how it went.
///
/// @param argc            as main received it
/// @param argv            as main received it; `--n` sets the number of words, `--csv`
///                        writes the result, `--once` does the large one once and times
///                        nothing, for a profiler; `--untimed` leaves out the
///                        comparison, for a sanitizer
/// @param rung            the rung's name
/// @param min_capability  lowest compute capability that can run it, as major * 10 +
///                        minor
/// @param copy            callable (std::size_t n, const std::uint32_t* from,
///                        std::uint32_t* to) that enqueues the copy of n words in
///                        device memory; both ends are aligned to 256 bytes
/// @return exit status: success if every word of every copy was right
template <class Copy>
int benchmark_copy(int argc, char** argv, const char* rung, int min_capability,
                   Copy copy) {
    command_line options(argc, argv);
    const auto n = options.integer<std::size_t>("n", 1 << 28, 1, 1ll << 32);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
    require_device(min_capability);

    device_buffer<std::uint32_t> from(n);
    device_buffer<std::uint32_t> to(n + 1);
    fill_random(from.data(), n);
    std::size_t wrong = 0;
    for (const std::size_t size : {std::size_t(1), std::size_t(33), std::size_t(1000),
                                   std::size_t(1'000'003), n}) {
        if (size > n || (once && size != n)) continue;
        to.fill_bytes(0);
        copy(size, from.data(), to.data());
        check(cudaGetLastError());
        std::vector<std::uint32_t> found(size + 1);
        check(cudaMemcpy(found.data(), to.data(), (size + 1) * sizeof(std::uint32_t),
                         cudaMemcpyDeviceToHost));
        for (std::size_t i = 0; i < size; ++i) wrong += found[i] != random_word(i);
        wrong += found[size] != 0;  // nothing after the end
    }
    report("elements", n);
    report("wrong elements", wrong);
    if (wrong != 0) return EXIT_FAILURE;
    if (once || untimed) return EXIT_SUCCESS;

    const double bytes = 2.0 * n * sizeof(std::uint32_t);  // read and written
    comparison rates("GB/s", 1e9);
    rates.add(rung, bytes, [&] { copy(n, from.data(), to.data()); });
    rates.add("cudaMemcpyAsync", bytes, [&] {
        check(cudaMemcpyAsync(to.data(), from.data(), n * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToDevice));
    });
    rates.run();
    rates.print();
    rates.write(csv, "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_memcpy");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
