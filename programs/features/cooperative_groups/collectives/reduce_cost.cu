// What does a reduction cost? For integers of 32 bits and tiles of 16 or 32 threads an
// instruction does it since compute capability 8.0. All other types, and smaller
// tiles, take shuffles: five steps for 32 threads, each with its latency.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

/// The sum of a tile by its own shuffles.
struct by_shuffles {
    template <class Tile, class T>
    static __device__ T sum(const Tile& tile, T value) {
        for (int bits = Tile::num_threads() / 2; bits > 0; bits /= 2)
            value += tile.shfl_xor(value, bits);
        return value;
    }
};
/// The same by the library.
struct by_library {
    template <class Tile, class T>
    static __device__ T sum(const Tile& tile, T value) {
        return cg::reduce(tile, value, cg::plus<T>());
    }
};

// [kernel]
/// A chain of sums, each of which needs the one before it.
/// @tparam How    the sum is made
/// @tparam T      type of the values
/// @tparam size   threads in a tile
/// @param rounds  number of sums
/// @param sums    one value for each thread of a warp in device memory, written
/// @param cycles  device value, written: clock cycles of all sums
template <class How, class T, int size>
__global__ void add_again(int rounds, T* sums, long long* cycles) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const T first = tile.thread_rank();  // differs, or the compiler knows the sum
    T value = first;  // 0 to size - 1, whose sum is size * (size - 1) / 2
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round)
        value = How::sum(tile, value) - size * (size - 1) / 2 + first;  // first again
    const long long end = clock64();
    sums[threadIdx.x] = value;
    if (threadIdx.x == 0) *cycles = end - begin;
}
// [/kernel]

/// Cycles of one sum: the median of 21 launches, or -1 if a sum was wrong.
template <class How, class T, int size>
double cycles_of(int rounds) {
    std::vector<T> expected(32);
    for (int i = 0; i < 32; ++i) expected[i] = T(i % size);
    lockstep::device_buffer<T> d_sums(32);
    lockstep::device_buffer<long long> d_cycles(1);
    std::vector<double> samples;
    for (int run = 0; run < 21; ++run) {
        d_sums.fill_bytes(0xFF);
        add_again<How, T, size><<<1, 32>>>(rounds, d_sums.data(), d_cycles.data());
        lockstep::check(cudaGetLastError());
        if (d_sums.to_host() != expected) return -1;
        samples.push_back(double(d_cycles.to_host()[0]) / rounds);
    }
    std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
    return samples[10];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1000, 1, 100'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    lockstep::csv_file series(csv, "sum,threads,~cycles");
    bool right = true;
    const auto show = [&](const char* name, double four, double sixteen, double warp) {
        char texts[3][16];
        const double all[] = {four, sixteen, warp};
        for (int i = 0; i < 3; ++i) {
            std::snprintf(texts[i], sizeof texts[i], "~%.0f", all[i]);
            right = right && all[i] > 0;
            series.row("\"%s\",%d,%.1f", name, i == 0 ? 4 : 16 * i, all[i]);
        }
        std::printf("%-24s%12s%13s%13s\n", name, texts[0], texts[1], texts[2]);
    };
    std::printf("%-24s%12s%13s%13s\n", "cycles of a sum", "tile of 4", "tile of 16",
                "tile of 32");
    show("int, reduce", cycles_of<by_library, int, 4>(rounds),
         cycles_of<by_library, int, 16>(rounds),
         cycles_of<by_library, int, 32>(rounds));
    show("int, shuffles", cycles_of<by_shuffles, int, 4>(rounds),
         cycles_of<by_shuffles, int, 16>(rounds),
         cycles_of<by_shuffles, int, 32>(rounds));
    show("long long, reduce", cycles_of<by_library, long long, 4>(rounds),
         cycles_of<by_library, long long, 16>(rounds),
         cycles_of<by_library, long long, 32>(rounds));
    show("float, reduce", cycles_of<by_library, float, 4>(rounds),
         cycles_of<by_library, float, 16>(rounds),
         cycles_of<by_library, float, 32>(rounds));
    show("double, reduce", cycles_of<by_library, double, 4>(rounds),
         cycles_of<by_library, double, 16>(rounds),
         cycles_of<by_library, double, 32>(rounds));
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
