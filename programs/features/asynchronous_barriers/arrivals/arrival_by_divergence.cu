// What does divergence cost when threads arrive? The lanes of a warp that arrive
// together update the barrier once. Here the lanes of each warp arrive in 1 to 32
// groups, one group after the other, and nothing else differs.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;

// [kernel]
/// Each thread passes its number to the left in every phase.
/// @tparam groups  groups of each warp's lanes that arrive one after the other
/// @param phases   number of phases
/// @param data     one unsigned for each thread in device memory, changed in place
template <int groups>
__global__ void take_turns(int phases, unsigned* data) {
    __shared__ std::uint64_t barrier;
    __shared__ unsigned words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, block_size);
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    for (int phase = 0; phase < phases; ++phase) {
        words[phase % 2][t] = mine;
#pragma unroll  // no counter and no branch between two arrivals
        for (int turn = 0; turn < groups; ++turn)
            if (t % groups == turn)
                static_cast<void>(cuda::ptx::mbarrier_arrive(&barrier));
        while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, phase % 2)) {
        }
        mine = words[phase % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int phases = options.integer("phases", 5000, 1, 100'000);
    const int blocks = options.integer("blocks", 132, 1, 1000);  // SMs of an H200
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> data(std::size_t(blocks) * block_size), expected(data.size());
    for (unsigned i = 0; i < data.size(); ++i) {
        data[i] = 7 * i;
        expected[i] = 7 * (i / block_size * block_size +
                           (i + static_cast<unsigned>(phases)) % block_size);
    }
    lockstep::device_buffer<unsigned> d_data(data.size());
    constexpr int groups[] = {1, 2, 4, 8, 16, 32};
    void (*const kernels[])(int, unsigned*) = {take_turns<1>,  take_turns<2>,
                                               take_turns<4>,  take_turns<8>,
                                               take_turns<16>, take_turns<32>};
    const auto launch = [&](std::size_t kernel) {
        kernels[kernel]<<<blocks, block_size>>>(phases, d_data.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (std::size_t kernel = 0; kernel < std::size(kernels); ++kernel) {
        lockstep::check(cudaMemcpy(d_data.data(), data.data(), d_data.bytes(),
                                   cudaMemcpyHostToDevice));
        launch(kernel);
        wrong += lockstep::count_mismatches(d_data.to_host(), expected);
    }
    const auto times = lockstep::time_in_turns(std::size(kernels), launch);
    lockstep::csv_file series(csv, "groups,updates,~ns");
    std::printf("time of a phase, by the groups in which the lanes of a warp arrive\n");
    std::printf("%10s%20s%18s\n", "groups", "updates in a phase", "time");
    for (std::size_t kernel = 0; kernel < std::size(kernels); ++kernel) {
        const int updates = block_size / 32 * groups[kernel];
        const double ns = 1e6 * times[kernel].median_ms / phases;
        series.row("%d,%d,%.1f", groups[kernel], updates, ns);
        char text[24];
        std::snprintf(text, sizeof text, "~%.0f ns", ns);
        std::printf("%10d%20d%18s\n", groups[kernel], updates, text);
    }
    series.finish();
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
