// What do further warps cost? One block works on one SM, with 1 to 32 warps. Each warp
// takes the same steps, each step needing the result of the one before. Where a step is
// a load from device memory, 32 warps take as long as one. Where it is a multiply-add,
// that holds until the arithmetic units have no free cycle.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/warp_span.hpp>

/// Ints in one line of the table: one for each lane of a warp.
constexpr unsigned lanes = 32;
/// Lines between one step of a chain and the next, odd and far.
constexpr unsigned stride = 1'000'003;

/// Makes the table: from each line to the one `stride` lines on.
/// @param lines  number of lines
/// @param next   lines * 32 numbers in device memory, written
__global__ void link_lines(unsigned lines, unsigned* next) {
    const unsigned line = blockIdx.x;
    next[line * lanes + threadIdx.x] = (line + stride) % lines * lanes + threadIdx.x;
}

// [load]
/// Each warp follows a chain of lines; a load gives the address of the next.
/// @param steps   number of loads of each lane
/// @param next    for each place the place after it, in device memory
/// @param places  one for each thread in device memory: the first place, then the last
/// @param spans   one for each warp in device memory: when it worked
__global__ void follow(int steps, const unsigned* next, unsigned* places,
                       lockstep::warp_span* spans) {
    unsigned place = places[threadIdx.x];
    const long long begin = clock64();
#pragma unroll 4
    for (int step = 0; step < steps; ++step) place = next[place];
    places[threadIdx.x] = place;
    lockstep::note_span(spans, begin, clock64());
}
// [/load]

// [multiply]
/// Each thread advances one number; a multiply-add needs the one before.
/// @param steps    number of multiply-adds of each thread
/// @param factor   1, but the compiler does not know
/// @param numbers  one for each thread in device memory, written
/// @param spans    one for each warp in device memory: when it worked
__global__ void advance(int steps, float factor, float* numbers,
                        lockstep::warp_span* spans) {
    float number = 0;
    const long long begin = clock64();
#pragma unroll 64
    for (int step = 0; step < steps; ++step) number = fmaf(number, factor, 1.0f);
    numbers[threadIdx.x] = number;
    lockstep::note_span(spans, begin, clock64());
}
// [/multiply]

/// The median of a few runs.
double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto mib = options.integer<unsigned>("mib", 256, 1, 1024);
    const int steps = options.integer("steps", 1000, 1, 1000);
    const char* csv = options.text("csv");
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const unsigned lines = mib * 8192;
    lockstep::device_buffer<unsigned> d_next(std::size_t(lines) * lanes);
    link_lines<<<lines, lanes>>>(lines, d_next.data());
    lockstep::check(cudaGetLastError());

    lockstep::csv_file table(csv, "step,warps,~cycles_a_step");
    std::printf("warps   dependent loads      dependent multiply-adds\n");
    constexpr int runs = 5;
    bool right = true;
    unsigned chains = 0;  // each chain begins where no other has been
    double first[2] = {};
    double last[2] = {};
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
        const unsigned threads = warps * lanes;
        lockstep::device_buffer<lockstep::warp_span> d_spans(warps);
        std::vector<double> loads;
        std::vector<double> fmas;
        for (int run = 0; run < runs; ++run) {
            std::vector<unsigned> places(threads);
            std::vector<unsigned> ends(threads);
            for (unsigned i = 0; i < threads; ++i) {
                const std::size_t step = std::size_t(chains + i / lanes) * steps;
                const auto at = [&](std::size_t step_number) {
                    const auto line =
                        static_cast<unsigned>(step_number * stride % lines);
                    return line * lanes + i % lanes;
                };
                places[i] = at(step);
                ends[i] = at(step + steps);
            }
            chains += warps;
            // [run]
            lockstep::device_buffer<unsigned> d_places(places);
            follow<<<1, threads>>>(steps, d_next.data(), d_places.data(),
                                   d_spans.data());
            lockstep::check(cudaGetLastError());
            loads.push_back(
                static_cast<double>(lockstep::cycles_of(d_spans.to_host())) / steps);
            // [/run]
            right = right && d_places.to_host() == ends;

            lockstep::device_buffer<float> d_numbers(threads);
            advance<<<1, threads>>>(64 * steps, 1.0f, d_numbers.data(), d_spans.data());
            lockstep::check(cudaGetLastError());
            fmas.push_back(static_cast<double>(lockstep::cycles_of(d_spans.to_host())) /
                           (64 * steps));
            for (const float number : d_numbers.to_host())
                right = right && number == static_cast<float>(64 * steps);
        }
        const double cycles[2] = {median(loads), median(fmas)};
        std::printf("%5d   ~%-6.0f cycles       ~%-5.1f cycles\n", warps, cycles[0],
                    cycles[1]);
        for (int i = 0; i < 2; ++i) {
            table.row("%s,%d,%.4g", i == 0 ? "load" : "multiply-add", warps, cycles[i]);
            if (warps == 1) first[i] = cycles[i];
            last[i] = cycles[i];
        }
    }
    table.finish();
    lockstep::report("32 warps / 1 warp, loads",
                     lockstep::measured{last[0] / first[0]});
    lockstep::report("32 warps / 1 warp, FMAs", lockstep::measured{last[1] / first[1]});
    return right && (untimed || last[0] < 4 * first[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
