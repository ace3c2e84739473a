// How far away is a value? One thread follows a chain of addresses, each load giving
// the address of the next, so nothing overlaps and the time of a load is its latency.
// As the chain's working set outgrows the L1 cache and then the L2 cache, each step of
// the staircase shows the next memory.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// Follows the chain for a number of steps.
/// @param steps  number of dependent loads
/// @param next   for each place the place after it, in device memory
/// @param end    one int in device memory: the last place
__global__ void follow(int steps, const unsigned* next, unsigned* end) {
    unsigned place = *end;
    for (int step = 0; step < steps; ++step) place = next[place];
    *end = place;
}
// [/kernel]

// [shared]
constexpr int shared_words = 4096;  // 16 KiB

/// The same with a chain in shared memory. All threads of one block copy it there, and
/// thread 0 follows it.
/// @param steps  number of dependent loads
/// @param next   a chain of shared_words places, in device memory
/// @param end    one int in device memory: the last place
__global__ void follow_shared(int steps, const unsigned* next, unsigned* end) {
    __shared__ unsigned chain[shared_words];
    for (int i = threadIdx.x; i < shared_words; i += blockDim.x) chain[i] = next[i];
    __syncthreads();
    if (threadIdx.x > 0) return;
    unsigned place = *end;
    for (int step = 0; step < steps; ++step) place = chain[place];
    *end = place;
}
// [/shared]

// [sweep]
/// Reads one word of every 128-byte line, so that the caches hold as much of the
/// working set as they can.
/// @param lines  number of lines
/// @param next   the chain, in device memory
/// @param sum    one int in device memory, so that the reads count
__global__ void sweep(unsigned lines, const unsigned* next, unsigned* sum) {
    unsigned mine = 0;
    for (unsigned line = blockIdx.x * blockDim.x + threadIdx.x; line < lines;
         line += gridDim.x * blockDim.x)
        mine += next[std::size_t(line) * 32];
    atomicAdd(sum, mine);
}
// [/sweep]

// [chain]
/// A chain that visits every 128-byte line of the working set once, in scattered order,
/// then begins again.
/// @param lines  number of lines, a power of two
std::vector<unsigned> scattered_chain(unsigned lines) {
    constexpr unsigned ints_per_line = 32;
    std::vector<unsigned> next(std::size_t(lines) * ints_per_line, 0);
    unsigned line = 0;
    for (unsigned i = 0; i < lines; ++i) {
        // full period for a power of two
        const unsigned following = (line * 1664525u + 1013904223u) % lines;
        next[std::size_t(line) * ints_per_line] = following * ints_per_line;
        line = following;
    }
    return next;
}
// [/chain]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned largest_mib = options.integer<unsigned>("largest-mib", 512, 1, 4096);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr int steps = 20'000;
    lockstep::csv_file series(csv, "bytes,~ns");
    lockstep::device_buffer<unsigned> d_end(1);
    lockstep::device_buffer<unsigned> d_sum(1);
    d_sum.fill_bytes(0);
    double at_16_kib = 0;
    double at_4_mib = 0;
    double at_largest = 0;
    bool right = true;
    for (std::size_t bytes = 4096; bytes <= std::size_t(largest_mib) << 20;
         bytes *= 2) {
        const std::vector<unsigned> chain =
            scattered_chain(static_cast<unsigned>(bytes / 128));
        const lockstep::device_buffer<unsigned> d_chain(chain);
        d_end.fill_bytes(0);
        int launches = 0;
        // [measure]
        sweep<<<2 * sms, 1024>>>(static_cast<unsigned>(bytes / 128), d_chain.data(),
                                 d_sum.data());
        lockstep::check(cudaGetLastError());
        const auto work = [&] {
            follow<<<1, 1>>>(steps, d_chain.data(), d_end.data());
            ++launches;
        };
        const auto time = lockstep::time_on_device(work, 5);
        const double ns = time.median_ms * 1e6 / steps;
        // [/measure]
        series.row("%zu,%.4g", bytes, ns);
        if (bytes == 16u << 10) at_16_kib = ns;
        if (bytes == 4u << 20) at_4_mib = ns;
        at_largest = ns;
        unsigned place = 0;
        for (int step = 0; step < launches * steps; ++step) place = chain[place];
        right = right && d_end.to_host()[0] == place;
    }
    series.finish();

    const std::vector<unsigned> chain = scattered_chain(shared_words / 32);
    const lockstep::device_buffer<unsigned> d_chain(chain);
    d_end.fill_bytes(0);
    int launches = 0;
    const auto shared_time = lockstep::time_on_device([&] {
        follow_shared<<<1, 1024>>>(steps, d_chain.data(), d_end.data());
        ++launches;
    });
    unsigned place = 0;
    for (int step = 0; step < launches * steps; ++step) place = chain[place];
    right = right && d_end.to_host()[0] == place;
    const double in_shared = shared_time.median_ms * 1e6 / steps;
    lockstep::report("16 KiB in shared memory", lockstep::measured{in_shared}, "ns");
    lockstep::report("16 KiB, fits L1", lockstep::measured{at_16_kib}, "ns");
    if (largest_mib >= 4)
        lockstep::report("4 MiB, fits L2", lockstep::measured{at_4_mib}, "ns");
    if (largest_mib >= 256)
        lockstep::report("largest, from device memory", lockstep::measured{at_largest},
                         "ns");
    const bool staircase =
        largest_mib < 256 || (at_16_kib < at_4_mib && at_4_mib < at_largest);
    lockstep::report("latency rises each step", staircase);
    return right && staircase ? EXIT_SUCCESS : EXIT_FAILURE;
}
