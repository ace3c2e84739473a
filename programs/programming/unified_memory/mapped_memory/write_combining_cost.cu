// What does write-combining memory gain and cost? It may speed up the copy to the GPU,
// and slow down reading on the CPU by orders of magnitude, because the CPU's caches are
// bypassed. Whether it does either depends on the machine, so both are measured.

#include <cstdint>
#include <cstdlib>
#include <numeric>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Rates of one kind of pinned memory, in GB/s.
struct rates {
    double to_device;  ///< copied to the GPU
    double write;  ///< written by one thread of the CPU, in order
    double read;  ///< read by one thread of the CPU, in order
    bool right;  ///< whether the CPU read what it wrote
};

/// Measures one kind of pinned memory.
/// @param flag   of cudaHostAlloc
/// @param n      number of elements
/// @param d_to   where to copy
rates measure(unsigned flag, std::size_t n,
              lockstep::device_buffer<std::uint64_t>& d_to) {
    const std::size_t bytes = n * sizeof(std::uint64_t);
    const std::size_t part = n / 16;  // reading may be slow
    // [measure]
    std::uint64_t* x = nullptr;
    lockstep::check(cudaHostAlloc(&x, bytes, flag));
    const auto write =
        lockstep::time_on_host([&] { std::iota(x, x + n, std::uint64_t{0}); }, 5);
    std::uint64_t sum = 0;
    const auto read = lockstep::time_on_host(
        [&] { sum = std::accumulate(x, x + part, std::uint64_t{0}); }, 5);
    const auto copy = lockstep::time_on_host([&] {
        lockstep::check(cudaMemcpy(d_to.data(), x, bytes, cudaMemcpyHostToDevice));
    });
    lockstep::check(cudaFreeHost(x));
    // [/measure]
    return {copy.per_second(bytes) * 1e-9, write.per_second(bytes) * 1e-9,
            read.per_second(part * sizeof *x) * 1e-9, sum == part * (part - 1) / 2};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t mib = options.integer<std::size_t>("mib", 256, 1, 1024);
    options.finish();
    lockstep::require_device();

    const std::size_t n = (mib << 20) / sizeof(std::uint64_t);
    lockstep::device_buffer<std::uint64_t> d_to(n);
    const rates plain = measure(cudaHostAllocDefault, n, d_to);
    const rates combining = measure(cudaHostAllocWriteCombined, n, d_to);

    lockstep::report("buffer", mib, "MiB");
    lockstep::report("copy, pinned", lockstep::measured{plain.to_device}, "GB/s");
    lockstep::report("copy, write-combining", lockstep::measured{combining.to_device},
                     "GB/s");
    lockstep::report("CPU writes, pinned", lockstep::measured{plain.write}, "GB/s");
    lockstep::report("CPU writes, write-combining", lockstep::measured{combining.write},
                     "GB/s");
    lockstep::report("CPU reads, pinned", lockstep::measured{plain.read}, "GB/s");
    lockstep::report("CPU reads, write-combining", lockstep::measured{combining.read},
                     "GB/s");
    const bool right = plain.right && combining.right;
    lockstep::report("CPU reads what it wrote", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
