// An addition takes a few cycles; what fills them? Other warps, or other additions of
// the same thread that need nothing from this one. The program counts multiply-adds per
// cycle on one SM, for 1 to 32 warps with 1 to 8 independent chains in each thread. The
// product of both decides.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/warp_span.hpp>

// [kernel]
/// Each thread advances `chains` numbers. The steps of one number depend on each other,
/// the numbers do not.
/// @tparam chains  numbers of a thread
/// @param steps   steps of each number, a multiple of 64
/// @param factor  1, but the compiler does not know
/// @param more    1, likewise
/// @param sums    device array, one float per thread: the sum of its numbers
/// @param spans   device array, one for each warp: when it worked
template <int chains>
__global__ void advance(int steps, float factor, float more, float* sums,
                        lockstep::warp_span* spans) {
    float number[chains];
#pragma unroll
    for (int chain = 0; chain < chains; ++chain)
        number[chain] = static_cast<float>(chain);
    const long long begin = clock64();
    for (int step = 0; step < steps; step += 64 / chains) {
#pragma unroll
        for (int i = 0; i < 64 / chains; ++i)
#pragma unroll
            for (int chain = 0; chain < chains; ++chain)
                number[chain] = fmaf(number[chain], factor, more);
    }
    lockstep::note_span(spans, begin, clock64());
    float sum = 0;
#pragma unroll
    for (int chain = 0; chain < chains; ++chain) sum += number[chain];
    sums[threadIdx.x] = sum;
}
// [/kernel]

/// Multiply-adds per cycle of one SM, median of `repeats` runs, or -1 if a sum is
/// wrong.
template <int chains>
double rate(int warps, int steps, int repeats) {
    lockstep::device_buffer<float> d_sums(warps * 32);
    lockstep::device_buffer<lockstep::warp_span> d_spans(warps);
    d_sums.fill_bytes(0xFF);
    std::vector<long long> cycles;
    for (int run = -3; run < repeats; ++run) {
        advance<chains>
            <<<1, warps * 32>>>(steps, 1.0f, 1.0f, d_sums.data(), d_spans.data());
        lockstep::check(cudaGetLastError());
        const long long found = lockstep::cycles_of(d_spans.to_host());
        if (run >= 0) cycles.push_back(found);  // the first three warm up
    }
    const float expected =
        static_cast<float>(chains * steps + chains * (chains - 1) / 2);
    for (const float sum : d_sums.to_host())
        if (!(sum == expected)) return -1;
    std::sort(cycles.begin(), cycles.end());
    return 32.0 * warps * chains * steps / static_cast<double>(cycles[repeats / 2]);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("rounds", 128, 1, 1024) * 64;
    const int repeats = options.integer("repeats", 21, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::csv_file table(csv, "chains,warps,~fma_per_cycle");
    std::printf("warps   1 chain      2 chains     4 chains     8 chains\n");
    bool right = true;
    double rates_at_4[4] = {};
    for (const int warps : {1, 2, 4, 8, 12, 16, 24, 32}) {
        const double rates[] = {
            rate<1>(warps, steps, repeats), rate<2>(warps, steps, repeats),
            rate<4>(warps, steps, repeats), rate<8>(warps, steps, repeats)};
        std::printf(
            "%5d   ~%-6.1f      ~%-6.1f      ~%-6.1f      ~%-6.1f multiply-adds a "
            "cycle\n",
            warps, rates[0], rates[1], rates[2], rates[3]);
        for (int i = 0; i < 4; ++i) {
            table.row("%d,%d,%.2f", 1 << i, warps, rates[i]);
            right = right && rates[i] > 0;
            if (warps == 4) rates_at_4[i] = rates[i];
        }
    }
    table.finish();
    return right && rates_at_4[2] > 2 * rates_at_4[0] ? EXIT_SUCCESS : EXIT_FAILURE;
}
