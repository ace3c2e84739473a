// An autotuner launches each variant of a kernel once and keeps the fastest. Which one
// is that, if each launch is the variant's first? Loading takes longer for a variant
// with more code, and that variant may be the fastest one to run.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

// [kernel]
constexpr int reads = 64;  // of a thread

/// Sums elements that lie far apart; all variants give the same sums.
/// @tparam in_flight  loads that a thread issues before it uses the first
/// @tparam salt       makes a further kernel of the same code
/// @param x    reads * threads ints in device memory
/// @param sum  one int for each thread in device memory, written
template <int in_flight, int salt>
__global__ void strided_sum(const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    int total = salt - salt;  // 0, but it makes the code of each copy its own
#pragma unroll 1
    for (int first = 0; first < reads; first += in_flight) {
        int values[in_flight];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) values[k] = x[(first + k) * stride + i];
#pragma unroll
        for (int k = 0; k < in_flight; ++k) total += values[k];
    }
    sum[i] = total;
}
// [/kernel]

using kernel_pointer = void (*)(const int*, int*);
constexpr int variants = 4;
constexpr int rounds = 20;  // each with kernels of its own
constexpr std::array<int, variants> in_flight{1, 4, 16, 64};

/// The variants of a round, by its salt.
template <int salt>
std::array<kernel_pointer, variants> variants_of() {
    return {strided_sum<in_flight[0], salt>, strided_sum<in_flight[1], salt>,
            strided_sum<in_flight[2], salt>, strided_sum<in_flight[3], salt>};
}

/// Those of all rounds.
template <int... salts>
std::vector<std::array<kernel_pointer, variants>> all_rounds(
    std::integer_sequence<int, salts...>) {
    return {variants_of<salts>()...};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr int blocks = 64;
    constexpr int block_size = 128;
    constexpr int threads = blocks * block_size;
    lockstep::device_buffer<int> x(std::vector<int>(reads * threads, 1));
    lockstep::device_buffer<int> sum(threads);
    const lockstep::owned_event begin;
    const lockstep::owned_event end;
    bool right = true;
    const auto us_of = [&](kernel_pointer kernel) {
        sum.fill_bytes(0);
        lockstep::check(cudaEventRecord(begin));
        kernel<<<blocks, block_size>>>(x.data(), sum.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(end));
        lockstep::check(cudaEventSynchronize(end));
        float ms = 0;
        lockstep::check(cudaEventElapsedTime(&ms, begin, end));
        for (const int one : sum.to_host()) right = right && one == reads;
        return 1e3 * ms;
    };
    const auto fastest = [](const std::array<double, variants>& us) {
        return std::min_element(us.begin(), us.end()) - us.begin();
    };
    us_of(strided_sum<1, -1>);  // initializes the runtime, and loads the module

    // [tune]
    std::array<std::vector<double>, variants> cold;
    std::array<std::vector<double>, variants> warm;
    std::array<int, variants> picked_cold{};
    std::array<int, variants> picked_warm{};
    for (const auto& candidates :
         all_rounds(std::make_integer_sequence<int, rounds>())) {
        std::array<double, variants> first{};
        std::array<double, variants> second{};
        for (int i = 0; i < variants; ++i) first[i] = us_of(candidates[i]);
        for (int i = 0; i < variants; ++i) second[i] = us_of(candidates[i]);
        ++picked_cold[fastest(first)];
        ++picked_warm[fastest(second)];
        for (int i = 0; i < variants; ++i) {
            cold[i].push_back(first[i]);
            warm[i].push_back(second[i]);
        }
    }
    // [/tune]
    lockstep::csv_file file(
        csv, "in_flight,~first_us,~picked_first,~second_us,~picked_second");
    std::printf("%-18s%-12s%-10s%-12s%s\n", "loads in flight", "1st, us", "picked",
                "2nd, us", "picked");
    for (int i = 0; i < variants; ++i) {
        const double first_us = lockstep::summarize(cold[i]).median_ms;
        const double second_us = lockstep::summarize(warm[i]).median_ms;
        std::printf("%-18d~%-11.1f~%-9d~%-11.1f~%d\n", in_flight[i], first_us,
                    picked_cold[i], second_us, picked_warm[i]);
        file.row("%d,%.2f,%d,%.2f,%d", in_flight[i], first_us, picked_cold[i],
                 second_us, picked_warm[i]);
    }
    file.finish();
    lockstep::report("sums right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
