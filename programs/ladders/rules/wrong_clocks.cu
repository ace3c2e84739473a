// Which rate does a copy have? Each way to measure it gives another one. Only the last
// of these five is the rate at which the kernel moves data through device memory:
// warmed up, timed with events, repeated, and over more data than L2 holds.

#include <cstdint>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Copies an array, 16 bytes per thread.
/// @param n     number of chunks of 16 bytes
/// @param from  n chunks in device memory
/// @param to    n chunks in device memory
__global__ void copy(std::size_t n, const uint4* from, uint4* to) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n) to[i] = from[i];
}

int main() {
    lockstep::require_device();

    constexpr std::size_t bytes = std::size_t(1) << 29;
    constexpr std::size_t small_bytes = std::size_t(1) << 24;
    constexpr std::size_t n = bytes / sizeof(uint4);
    constexpr int block_size = 128;
    lockstep::device_buffer<std::uint32_t> from(bytes / 4);
    lockstep::device_buffer<std::uint32_t> to(bytes / 4);
    lockstep::fill_random(from.data(), bytes / 4);
    lockstep::check(cudaDeviceSynchronize());
    const auto launch = [&](std::size_t chunks, std::size_t first) {
        copy<<<static_cast<unsigned>(chunks / block_size), block_size>>>(
            chunks, reinterpret_cast<const uint4*>(from.data()) + first,
            reinterpret_cast<uint4*>(to.data()) + first);
        lockstep::check(cudaGetLastError());
    };
    const auto rate = [](std::size_t copied, double us) {
        return 2.0 * copied / us / 1e6;
    };

    constexpr std::size_t small = small_bytes / sizeof(uint4);
    launch(n, 0);  // loads the kernel
    lockstep::check(cudaDeviceSynchronize());
    // [host]
    const lockstep::timing launched = lockstep::time_on_host([&] { launch(small, 0); });
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::timing waited = lockstep::time_on_host([&] {
        launch(small, 0);
        lockstep::check(cudaDeviceSynchronize());
    });
    // [/host]

    // [small]
    const lockstep::timing again = lockstep::time_on_device([&] { launch(small, 0); });
    std::size_t place = 0;
    const lockstep::timing rotated = lockstep::time_on_device([&] {
        launch(small, place);
        place = (place + small) % n;
    });
    // [/small]

    // [right]
    const lockstep::timing large = lockstep::time_on_device([&] { launch(n, 0); });
    // [/right]

    using lockstep::measured;
    lockstep::report("16 MiB, host clock, no wait",
                     measured{rate(small_bytes, launched.median_ms * 1e3)}, "TB/s");
    lockstep::report("16 MiB, host clock, waits",
                     measured{rate(small_bytes, waited.median_ms * 1e3)}, "TB/s");
    lockstep::report("16 MiB, events, same data",
                     measured{rate(small_bytes, again.median_ms * 1e3)}, "TB/s");
    lockstep::report("16 MiB, events, new data",
                     measured{rate(small_bytes, rotated.median_ms * 1e3)}, "TB/s");
    lockstep::report("512 MiB, events", measured{rate(bytes, large.median_ms * 1e3)},
                     "TB/s");
    lockstep::report("512 MiB, spread p10 to p90", measured{large.spread() * 100}, "%");
    return from.to_host() == to.to_host() ? EXIT_SUCCESS : EXIT_FAILURE;
}
