// What if lanes want the same word, not only the same bank? Readers share: the word is
// broadcast, and any number of lanes costs what one costs. Of several writes one is
// stored; which one is undefined. Only different words of one bank conflict.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/warp_span.hpp>

constexpr int warps = 32;
constexpr int tile_words = 256;

// [patterns]
struct pattern {
    const char* name;
    int (*word)(int lane);  // which word the lane reads
};

constexpr pattern patterns[] = {
    {"each lane its own bank", [](int lane) { return lane; }},
    {"banks in mixed order", [](int lane) { return lane * 13 % 32; }},
    {"five lanes, one word", [](int lane) { return lane % 7 == 3 ? 5 : lane; }},
    {"all lanes, one word", [](int) { return 5; }},
    {"two words of one bank", [](int lane) { return lane % 2 ? 5 : 37; }},
    {"four words of one bank", [](int lane) { return 5 + 32 * (lane % 4); }},
};
// [/patterns]

// [read]
/// Each lane reads its word and the 64 after it, again and again.
/// @param word    device array of 32: which word each lane begins with
/// @param loads   number of loads of each thread, a multiple of 64
/// @param sums    device array, one sum per thread
/// @param spans   device array, one for each warp: when it loaded
__global__ void read_shared(const int* word, int loads, int* sums,
                            lockstep::warp_span* spans) {
    __shared__ int tile[tile_words];
    for (int i = threadIdx.x; i < tile_words; i += blockDim.x) tile[i] = i;
    __syncthreads();

    const int* mine = tile + word[threadIdx.x % 32];
    int sum = 0;
    const long long begin = clock64();
    for (int load = 0; load < loads; load += 64) {
        // all lanes shift by the same
#pragma unroll
        for (int i = 0; i < 64; ++i) sum += mine[(load & 64) / 2 + i];
    }
    lockstep::note_span(spans, begin, clock64());
    sums[threadIdx.x] = sum;
}
// [/read]

// [write]
/// All lanes of one warp write their number to one word, in one instruction.
/// @param winner  device value: what the word holds afterwards
__global__ void write_one_word(int* winner) {
    __shared__ int word;
    word = threadIdx.x;
    __syncwarp();
    if (threadIdx.x == 0) *winner = word;
}
// [/write]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int loads = options.integer("loads", 64, 1, 1024) * 64;
    const bool writes = options.flag("writes");
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    if (writes) {
        lockstep::device_buffer<int> d_winner(1);
        d_winner.fill_bytes(0xFF);
        write_one_word<<<1, 32>>>(d_winner.data());
        lockstep::check(cudaGetLastError());
        const int winner = d_winner.to_host()[0];
        lockstep::report("lanes that wrote", 32);
        lockstep::report("one of them won", winner >= 0 && winner < 32);
        lockstep::report("which one, this time", lockstep::counted{winner});
        return winner >= 0 && winner < 32 ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    bool right = true;
    std::vector<double> cycles_of;
    std::printf("%-28swords of a bank   cycles a load\n", "pattern");
    for (const auto& [name, word_of] : patterns) {
        std::vector<int> word(32);
        std::vector<std::set<int>> wanted(32);
        for (int lane = 0; lane < 32; ++lane) {
            word[lane] = word_of(lane);
            wanted[word[lane] % 32].insert(word[lane]);
        }
        std::size_t ways = 0;
        for (const auto& words : wanted) ways = std::max(ways, words.size());

        const lockstep::device_buffer<int> d_word(word);
        lockstep::device_buffer<int> d_sums(warps * 32);
        lockstep::device_buffer<lockstep::warp_span> d_spans(warps);
        d_sums.fill_bytes(0xFF);
        std::vector<long long> cycles;
        for (int run = 0; run < 5; ++run) {
            read_shared<<<1, warps * 32>>>(d_word.data(), loads, d_sums.data(),
                                           d_spans.data());
            lockstep::check(cudaGetLastError());
            cycles.push_back(lockstep::cycles_of(d_spans.to_host()));
        }
        std::sort(cycles.begin(), cycles.end());
        cycles_of.push_back(static_cast<double>(cycles[2]) /
                            (static_cast<double>(loads) * warps));
        std::printf("%-28s%-16d ~%.2f\n", name, static_cast<int>(ways),
                    cycles_of.back());

        const std::vector<int> sums = d_sums.to_host();
        for (int thread = 0; thread < warps * 32; ++thread) {
            int expected = 0;
            for (int load = 0; load < loads; ++load)
                expected += word[thread % 32] + (load & 64) / 2 + load % 64;
            right = right && sums[thread] == expected;
        }
    }
    // Own bank, one word for all, two words, four words.
    const bool as_expected = cycles_of[3] < 1.3 * cycles_of[0] &&
                             cycles_of[4] > 1.5 * cycles_of[0] &&
                             cycles_of[5] > 1.5 * cycles_of[4];
    return right && (untimed || as_expected) ? EXIT_SUCCESS : EXIT_FAILURE;
}
