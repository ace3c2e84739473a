// Must neighboring threads read neighboring words? No: they must use up the sectors
// that they touch. Reads shuffled among the 32 lanes of a warp cost what straight reads
// cost. Reads scattered over the whole array use four bytes of each sector, and cost
// several times as much.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int loads_per_thread = 8;

// [orders]
enum class order { straight, backwards, shuffled, sectors_apart, scattered };

/// Which word the `i`-th read takes; each order takes every word once.
/// @tparam how  the order
/// @param i  number of the read
/// @param n  number of words, a power of two
template <order how>
__host__ __device__ std::uint32_t place(std::uint32_t i, std::uint32_t n) {
    const std::uint32_t lane = i % 32;
    if (how == order::backwards) return i - lane + 31 - lane;
    if (how == order::shuffled) return i - lane + lane * 5 % 32;
    if (how == order::sectors_apart)
        // an odd factor loses nothing
        return (i / 8 * 2654435761u & (n / 8 - 1)) * 8 + i % 8;
    if (how == order::scattered) return i * 2654435761u & (n - 1);
    return i;
}
// [/orders]

// [kernel]
/// Each thread adds eight words.
/// @tparam how  the order of the reads
/// @param n     number of words, a power of two
/// @param x     device array of `n` words
/// @param sums  device array of n / 8 words, one per thread: the sum of its words
template <order how>
__global__ void read_in_order(std::uint32_t n, const std::uint32_t* x,
                              std::uint32_t* sums) {
    const std::uint32_t threads = gridDim.x * blockDim.x;
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint32_t sum = 0;
#pragma unroll
    for (int load = 0; load < loads_per_thread; ++load)
        sum += x[place<how>(load * threads + thread, n)];
    sums[thread] = sum;
}
// [/kernel]

/// Runs one order, prints its row, and returns its median time in microseconds, or -1
/// if a sum is wrong.
template <order how>
double show(const char* name, const std::vector<std::uint32_t>& x,
            const lockstep::device_buffer<std::uint32_t>& d_x) {
    const auto n = static_cast<std::uint32_t>(x.size());
    const std::uint32_t threads = n / loads_per_thread;
    lockstep::device_buffer<std::uint32_t> d_sums(threads);
    d_sums.fill_bytes(0xFF);
    const auto time = lockstep::time_back_to_back([&] {
        read_in_order<how>
            <<<threads / block_size, block_size>>>(n, d_x.data(), d_sums.data());
    });

    const std::vector<std::uint32_t> sums = d_sums.to_host();
    bool right = true;
    for (std::uint32_t thread = 0; thread < threads; thread += 61) {
        std::uint32_t expected = 0;
        for (std::uint32_t load = 0; load < loads_per_thread; ++load)
            expected += x[place<how>(load * threads + thread, n)];
        right = right && sums[thread] == expected;
    }
    std::set<std::uint32_t> sectors;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        sectors.insert(place<how>(lane, n) / 8);
    std::printf("%-28s~%-5.0f us  %2d sectors a load\n", name, time.median_ms * 1e3,
                static_cast<int>(sectors.size()));
    return right ? time.median_ms * 1e3 : -1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int log2_blocks = options.integer("log2-blocks", 14, 1, 18);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<std::uint32_t> x(std::size_t(block_size) * loads_per_thread
                                 << log2_blocks);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<std::uint32_t>(i) * 40503u;
    const lockstep::device_buffer<std::uint32_t> d_x(x);

    const double straight = show<order::straight>("straight", x, d_x);
    const double backwards = show<order::backwards>("backwards in each warp", x, d_x);
    const double shuffled = show<order::shuffled>("shuffled in each warp", x, d_x);
    const double apart = show<order::sectors_apart>("whole sectors scattered", x, d_x);
    const double scattered = show<order::scattered>("words scattered", x, d_x);
    lockstep::report("time, shuffled / straight",
                     lockstep::measured{shuffled / straight});
    lockstep::report("time, scattered / straight",
                     lockstep::measured{scattered / straight});
    const bool right =
        straight > 0 && backwards > 0 && shuffled > 0 && apart > 0 && scattered > 0;
    const bool as_expected =
        untimed || (shuffled < 1.3 * straight && scattered > 2 * straight);
    return right && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
