// A bulk prefetch asks for a chunk of global memory to be brought into the L2 cache.
// Nothing reports that it is there, and nothing depends on it: a load gives the same
// word, only earlier. How long does such a load take?

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int chunk = 4096;  // words of a prefetch: 16 KiB
constexpr int chunks = 8;

/// What is done with a chunk before the load that is timed.
enum preparation { none, prefetch, load };

/// Loads a word, past the L1 cache.
/// @param from  the word in device memory
__device__ unsigned load_from_l2(const unsigned* from) {
    unsigned word = 0;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
    return word;
}

/// Times a load from each chunk, some time after the preparation.
/// @param before  the preparation
/// @param x       chunks * chunk words in device memory, 16-byte aligned
/// @param sum     one word in device memory, written
/// @param cycles  clock cycles of the loads, one for each chunk, in device memory
__global__ void load_each(preparation before, const unsigned* x, unsigned* sum,
                          int* cycles) {
    __shared__ volatile unsigned seen;  // volatile: no store is left out
    constexpr std::uint32_t bytes = chunk * sizeof(unsigned);
    // [prefetch]
    if (before == prefetch)
        for (int i = 0; i < chunks; ++i)
            asm volatile(
                "cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(x + i * chunk),
                "r"(bytes)
                : "memory");
    // [/prefetch]
    if (before == load)
        for (int i = 0; i < chunks; ++i) seen = load_from_l2(x + i * chunk + chunk / 2);
    lockstep::busy_wait(20'000);
    unsigned all = 0;
    for (int i = 0; i < chunks; ++i) {
        const long long begin = clock64();
        seen = load_from_l2(x + i * chunk + chunk / 2);  // the store waits for the load
        cycles[i] = static_cast<int>(clock64() - begin);
        all += seen;
    }
    *sum = all;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("flush-mib", 256, 1, 1024);
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> x(chunks * chunk);
    unsigned expected = 0;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 9;
    for (int i = 0; i < chunks; ++i) expected += x[i * chunk + chunk / 2];
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<char> d_flush(std::size_t(mib) << 20);
    lockstep::device_buffer<unsigned> d_sum(1);
    lockstep::device_buffer<int> d_cycles(chunks);
    bool right = true;
    const auto show = [&](const char* name, preparation before) {
        std::vector<int> samples;
        for (int run = 0; run < 22; ++run) {
            d_flush.fill_bytes(run);  // more than the L2 cache holds
            load_each<<<1, 1>>>(before, d_x.data(), d_sum.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            right = right && d_sum.to_host()[0] == expected;
            for (const int cycles : d_cycles.to_host())
                if (run > 1) samples.push_back(cycles);
        }
        const auto middle = samples.begin() + samples.size() / 2;
        std::nth_element(samples.begin(), middle, samples.end());
        lockstep::report(name, lockstep::measured{double(*middle)}, "cycles");
    };
    show("load, no prefetch", none);
    show("load after a prefetch", prefetch);
    show("load after a load", load);
    lockstep::report("sum is right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
