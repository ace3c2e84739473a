// When does a split barrier win? In every step one warp arrives late, and every thread
// has independent work. With __syncthreads the times of both add up. With arrive and
// wait the independent work runs while the late warp is still on its way.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// init() in the kernel initializes the barrier, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int block_size = 256;
constexpr int warps = block_size / 32;

/// What a block does in each step.
struct workload {
    int steps;        ///< number of steps
    int late;  ///< multiply-adds that the late warp computes before it arrives
    int independent;  ///< multiply-adds of each thread that need no other thread
    bool rotating;  ///< whether another warp is late in each step, or always warp 0
};

/// A chain of multiply-adds, each of which needs the one before it. The loop is not
/// unrolled, since the compiler would combine several multiply-adds to one.
__device__ unsigned multiply_add(unsigned x, int count) {
#pragma unroll 1
    for (int i = 0; i < count; ++i) x = x * 1664525 + 1013904223;
    return x;
}

/// The work of one step before the barrier: a long chain in the late warp, none in the
/// others.
__device__ unsigned before_arrival(unsigned x, int step, const workload& load) {
    const int late_warp = load.rotating ? step % warps : 0;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    return multiply_add(x, warp == late_warp ? load.late : 0);
}

// [plain]
/// Each thread passes its number to the left in every step; with __syncthreads.
/// @param load   what is done in each step
/// @param data   one word for each thread in device memory, changed in place
/// @param sums   one word for each thread in device memory, written
__global__ void whole_barrier(workload load, unsigned* data, unsigned* sums) {
    __shared__ unsigned words[2][block_size];
    const int t = threadIdx.x;
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < load.steps; ++step) {
        x = before_arrival(x, step, load);
        words[step % 2][t] = mine;
        __syncthreads();
        x = multiply_add(x, load.independent);
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
    sums[blockIdx.x * block_size + t] = x;
}
// [/plain]

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// [split]
/// The same with arrive and wait, which enclose the independent work.
/// @param load   what is done in each step
/// @param data   one word for each thread in device memory, changed in place
/// @param sums   one word for each thread in device memory, written
__global__ void split_barrier(workload load, unsigned* data, unsigned* sums) {
    __shared__ block_barrier barrier;
    __shared__ unsigned words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, block_size);
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < load.steps; ++step) {
        x = before_arrival(x, step, load);
        words[step % 2][t] = mine;
        block_barrier::arrival_token token = barrier.arrive();
        x = multiply_add(x, load.independent);
        barrier.wait(std::move(token));
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
    sums[blockIdx.x * block_size + t] = x;
}
// [/split]

// [mbarrier]
/// The same with the instructions of the hardware barrier, waiting by parity.
/// @tparam by_warp  whether one lane arrives for its warp, or each thread for itself
/// @param load      what is done in each step
/// @param data      one word for each thread in device memory, changed in place
/// @param sums      one word for each thread in device memory, written
template <bool by_warp>
__global__ void split_mbarrier(workload load, unsigned* data, unsigned* sums) {
    __shared__ std::uint64_t barrier;
    __shared__ unsigned words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, by_warp ? warps : block_size);
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < load.steps; ++step) {
        x = before_arrival(x, step, load);
        words[step % 2][t] = mine;
        if (by_warp) __syncwarp();  // the arrival of lane 0 covers the warp's stores
        if (!by_warp || t % 32 == 0)
            static_cast<void>(cuda::ptx::mbarrier_arrive(&barrier));
        x = multiply_add(x, load.independent);
        const unsigned parity = step % 2;  // phases alternate between parity 0 and 1
        while (!cuda::ptx::mbarrier_try_wait_parity(&barrier, parity)) {
        }
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
    sums[blockIdx.x * block_size + t] = x;
}
// [/mbarrier]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 100'000);
    const int late = options.integer("late", 200, 0, 10'000);
    const int blocks_per_sm = options.integer("blocks-per-sm", 1, 1, 32);
    const bool same_warp = options.flag("same-warp");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = blocks_per_sm * sms;
    std::vector<unsigned> data(std::size_t(blocks) * block_size);
    std::vector<unsigned> expected(data.size());
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = static_cast<unsigned>(i);
        expected[i] = static_cast<unsigned>(i / block_size * block_size +
                                            (i + steps) % block_size);
    }
    lockstep::device_buffer<unsigned> d_data(data.size());
    lockstep::device_buffer<unsigned> d_sums(data.size());
    std::size_t wrong = 0;
    const char* names[] = {"__syncthreads", "cuda::barrier", "mbarrier",
                           "mbarrier, by warp"};
    lockstep::csv_file series(csv, "barrier,independent,~ns");
    std::printf("time of one step, by the independent work of each thread\n");
    std::printf("%14s%15s%15s%15s%19s\n", "multiply-adds", names[0], names[1], names[2],
                names[3]);
    for (const int independent : {0, 5, 10, 25, 50, 100, 200, 400, 800}) {
        const workload load{steps, late, independent, !same_warp};
        const auto launch = [&](std::size_t kernel) {
            if (kernel == 0)
                whole_barrier<<<blocks, block_size>>>(load, d_data.data(),
                                                      d_sums.data());
            else if (kernel == 1)
                split_barrier<<<blocks, block_size>>>(load, d_data.data(),
                                                      d_sums.data());
            else if (kernel == 2)
                split_mbarrier<false>
                    <<<blocks, block_size>>>(load, d_data.data(), d_sums.data());
            else
                split_mbarrier<true>
                    <<<blocks, block_size>>>(load, d_data.data(), d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        std::vector<unsigned> sums;
        for (std::size_t kernel = 0; kernel < 4; ++kernel) {
            lockstep::check(cudaMemcpy(d_data.data(), data.data(), d_data.bytes(),
                                       cudaMemcpyHostToDevice));
            d_sums.fill_bytes(0xFF);
            launch(kernel);
            wrong += lockstep::count_mismatches(d_data.to_host(), expected);
            if (kernel == 0) sums = d_sums.to_host();
            wrong += lockstep::count_mismatches(d_sums.to_host(), sums);
        }
        std::printf("%14d", independent);
        const auto times = lockstep::time_in_turns(4, launch);
        for (std::size_t kernel = 0; kernel < 4; ++kernel) {
            const double ns = 1e6 * times[kernel].median_ms / steps;
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f ns", ns);
            std::printf(kernel < 3 ? "%15s" : "%19s", text);
            series.row("\"%s\",%d,%.1f", names[kernel], independent, ns);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
