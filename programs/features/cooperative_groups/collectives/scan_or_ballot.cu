// A thread of a tile needs to know how many threads of lower rank have something to
// store. An exclusive scan of zeros and ones tells it; so does ballot(), which collects
// one bit of each thread, and a count of the bits below one's own. Which costs less?

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

/// A whole warp.
using warp_tile = cg::thread_block_tile<32, cg::thread_block>;

// [ways]
/// By a scan: the sum of the numbers of lower ranks.
struct by_scan {
    static __device__ unsigned place(const warp_tile& tile, bool has) {
        return cg::exclusive_scan(tile, has ? 1u : 0u);
    }
};
/// By a ballot: bit r of `all` says whether the thread of rank r has something.
struct by_ballot {
    static __device__ unsigned place(const warp_tile& tile, bool has) {
        const unsigned all = tile.ballot(has);
        const unsigned lower = (1u << tile.thread_rank()) - 1;
        return __popc(all & lower);
    }
};
// [/ways]

/// The next word of a chain, which depends on the place.
__host__ __device__ unsigned next_word(unsigned word, unsigned place) {
    return word * 1664525u + 1013904223u + place;
}

// [kernel]
/// A chain of places, each of which needs the one before it; one warp.
/// @tparam How    the place is found
/// @param rounds  number of places
/// @param words   one word for each thread in device memory, written
/// @param cycles  device value, written: clock cycles of all rounds
template <class How>
__global__ void find_places(int rounds, unsigned* words, long long* cycles) {
    const warp_tile tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned word = threadIdx.x * 2654435761u;
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round)
        word = next_word(word, How::place(tile, word >> 31));
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    words[threadIdx.x] = word;
}
// [/kernel]

/// Cycles of one round: the median of 21 launches, or -1 if a word was wrong.
template <class How>
double cycles_of(int rounds) {
    std::vector<unsigned> expected(32);
    for (unsigned i = 0; i < 32; ++i) expected[i] = i * 2654435761u;
    for (int round = 0; round < rounds; ++round) {
        unsigned place = 0;
        for (unsigned& word : expected) {
            const unsigned has = word >> 31;
            word = next_word(word, place);
            place += has;
        }
    }
    lockstep::device_buffer<unsigned> d_words(32);
    lockstep::device_buffer<long long> d_cycles(1);
    std::vector<double> samples;
    for (int run = 0; run < 21; ++run) {
        d_words.fill_bytes(0xFF);
        find_places<How><<<1, 32>>>(rounds, d_words.data(), d_cycles.data());
        lockstep::check(cudaGetLastError());
        if (d_words.to_host() != expected) return -1;
        samples.push_back(double(d_cycles.to_host()[0]) / rounds);
    }
    std::nth_element(samples.begin(), samples.begin() + 10, samples.end());
    return samples[10];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    const double scanned = cycles_of<by_scan>(rounds);
    const double voted = cycles_of<by_ballot>(rounds);
    lockstep::report("place by a scan", lockstep::measured{scanned}, "cycles");
    lockstep::report("place by a ballot", lockstep::measured{voted}, "cycles");
    return scanned > 0 && voted > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
