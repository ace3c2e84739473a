// When does shared memory slow down? When lanes of one warp want different words of one
// bank. Successive words lie in successive banks, so the common factor of stride and 32
// decides: odd strides are free, a stride of 32 puts all 32 lanes on one bank. One word
// of padding after every 32 fixes the powers of two, at a price.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/warp_span.hpp>

constexpr int banks = 32;
constexpr int warps = 32;
constexpr int max_stride = 33;
constexpr int tile_words = 4096;

// [place]
/// Where word `i` of an array lies in shared memory: as declared, or with a gap after
/// every 32 words.
__host__ __device__ int place(bool padded, int i) { return padded ? i + i / banks : i; }

/// How many lanes want different words of one bank, at most, when lane L reads word L *
/// stride.
int conflict_ways(bool padded, int stride) {
    std::vector<std::set<int>> wanted(banks);
    for (int lane = 0; lane < 32; ++lane) {
        const int word = place(padded, lane * stride);
        wanted[word % banks].insert(word);
    }
    std::size_t ways = 0;
    for (const auto& words : wanted) ways = std::max(ways, words.size());
    return static_cast<int>(ways);
}
// [/place]

// [kernel]
/// Each lane reads the words place(lane * stride), the word after it, and so on, 64 of
/// them again and again.
/// @param padded  whether there is a gap after every 32 words
/// @param stride  distance between the words of neighboring lanes
/// @param loads   number of loads of each thread, a multiple of 64
/// @param sums    device array, one word per thread: the sum of what it read
/// @param spans   device array, one for each warp: when it loaded
__global__ void read_shared(bool padded, int stride, int loads, std::uint32_t* sums,
                            lockstep::warp_span* spans) {
    __shared__ std::uint32_t tile[tile_words];
    for (int i = threadIdx.x; i < tile_words; i += blockDim.x) tile[i] = i;
    __syncthreads();

    const std::uint32_t* mine = tile + place(padded, threadIdx.x % 32 * stride);
    std::uint32_t sum = 0;
    const long long begin = clock64();
    for (int load = 0; load < loads; load += 64) {
        // all lanes shift by the same
#pragma unroll
        for (int word = 0; word < 64; ++word) sum += mine[(load & 64) + word];
    }
    lockstep::note_span(spans, begin, clock64());
    sums[threadIdx.x] = sum;
}
// [/kernel]

/// Runs one stride; returns clock cycles per load of a warp, or -1 if a sum is wrong.
double cycles_per_load(bool padded, int stride, int loads) {
    lockstep::device_buffer<std::uint32_t> d_sums(warps * 32);
    lockstep::device_buffer<lockstep::warp_span> d_spans(warps);
    d_sums.fill_bytes(0xFF);
    std::vector<long long> cycles;
    for (int run = 0; run < 5; ++run) {
        read_shared<<<1, warps * 32>>>(padded, stride, loads, d_sums.data(),
                                       d_spans.data());
        lockstep::check(cudaGetLastError());
        cycles.push_back(lockstep::cycles_of(d_spans.to_host()));
    }
    const std::vector<std::uint32_t> sums = d_sums.to_host();
    for (int thread = 0; thread < warps * 32; ++thread) {
        std::uint32_t expected = 0;
        for (int load = 0; load < loads; ++load)
            expected += place(padded, thread % 32 * stride) + load % 128;
        if (sums[thread] != expected) return -1;
    }
    std::sort(cycles.begin(), cycles.end());
    return static_cast<double>(cycles[2]) / (static_cast<double>(loads) * warps);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int loads = options.integer("loads", 64, 1, 1024) * 64;
    const int one = options.integer("stride", -1, 0, max_stride);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    bool right = true;
    double cycles_at[2][max_stride + 1] = {};
    lockstep::csv_file table(csv, "layout,stride,ways,~cycles_per_load");
    std::printf("%-14s%8s%8s   cycles a load\n", "layout", "stride", "ways");
    for (const bool padded : {false, true}) {
        for (int stride = 0; stride <= max_stride; ++stride) {
            if (one >= 0 && stride != one) continue;
            const char* layout = padded ? "padded" : "as declared";
            const int ways = conflict_ways(padded, stride);
            const double cycles = cycles_per_load(padded, stride, loads);
            right = right && cycles > 0;
            cycles_at[padded][stride] = cycles;
            table.row("%s,%d,%d,%.3f", layout, stride, ways, cycles);
            const bool power_of_two = (stride & (stride - 1)) == 0;
            if (one >= 0 || power_of_two || stride == 3 || stride == max_stride)
                std::printf("%-14s%8d%8d   ~%.2f\n", layout, stride, ways, cycles);
        }
    }
    table.finish();
    const bool as_expected = one >= 0 || cycles_at[false][32] > 8 * cycles_at[true][32];
    return right && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
