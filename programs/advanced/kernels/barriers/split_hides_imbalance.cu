// When does a split barrier win? In every step one warp arrives late, and every thread
// has independent work. With __syncthreads the times of both add up. With arrive and
// wait the independent work runs while the late warp is still on its way.

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda/barrier>

#include <lockstep/arguments.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/series.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;
constexpr int warps = block_size / 32;

/// What a block does in each step.
struct workload {
    int steps;        ///< number of steps
    int late;  ///< multiply-adds that the late warp computes before it arrives
    int independent;  ///< multiply-adds of each thread that need no other thread
    bool rotating;  ///< whether another warp is late in each step, or always warp 0
};

/// A chain of multiply-adds, each of which needs the one before it.
__device__ unsigned multiply_add(unsigned x, int count) {
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
    __shared__ alignas(block_barrier) unsigned char memory[sizeof(block_barrier)];
    __shared__ unsigned words[2][block_size];
    auto* barrier = reinterpret_cast<block_barrier*>(memory);
    const int t = threadIdx.x;
    if (t == 0) init(barrier, block_size);
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < load.steps; ++step) {
        x = before_arrival(x, step, load);
        words[step % 2][t] = mine;
        block_barrier::arrival_token token = barrier->arrive();
        x = multiply_add(x, load.independent);
        barrier->wait(std::move(token));
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
    sums[blockIdx.x * block_size + t] = x;
}
// [/split]

// [per-warp]
/// The same with one arrival for each warp, and waiting by parity.
/// @param load   what is done in each step
/// @param data   one word for each thread in device memory, changed in place
/// @param sums   one word for each thread in device memory, written
__global__ void split_by_warp(workload load, unsigned* data, unsigned* sums) {
    __shared__ alignas(block_barrier) unsigned char memory[sizeof(block_barrier)];
    __shared__ unsigned words[2][block_size];
    auto* barrier = reinterpret_cast<block_barrier*>(memory);
    const int t = threadIdx.x;
    if (t == 0) init(barrier, warps);  // one arrival for each warp
    __syncthreads();
    unsigned mine = data[blockIdx.x * block_size + t];
    unsigned x = t;
    for (int step = 0; step < load.steps; ++step) {
        x = before_arrival(x, step, load);
        words[step % 2][t] = mine;
        __syncwarp();  // what the lanes stored comes before the arrival of lane 0
        if (t % 32 == 0) static_cast<void>(barrier->arrive());
        x = multiply_add(x, load.independent);
        barrier->wait_parity(step % 2);  // phases count 0, 1, 2, ...: their lowest bit
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine;
    sums[blockIdx.x * block_size + t] = x;
}
// [/per-warp]

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int steps = static_cast<int>(arguments.integer("steps", 1000, 1, 100'000));
    const int late = static_cast<int>(arguments.integer("late", 200, 0, 10'000));
    const int blocks_per_sm =
        static_cast<int>(arguments.integer("blocks-per-sm", 1, 1, 32));
    const bool same_warp = arguments.flag("same-warp");
    const char* csv = arguments.text("csv");
    arguments.finish();
    lockstep::require_device(80);

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
    const char* names[] = {"__syncthreads", "arrive, wait", "one per warp"};
    lockstep::series series(csv, "barrier,independent,~ns");
    std::printf("time of one step, by the independent work of each thread\n");
    std::printf("%14s%15s%15s%15s\n", "multiply-adds", names[0], names[1], names[2]);
    for (const int independent : {0, 25, 50, 100, 200, 400, 800}) {
        const workload load{steps, late, independent, !same_warp};
        const auto launch = [&](std::size_t kernel) {
            if (kernel == 0)
                whole_barrier<<<blocks, block_size>>>(load, d_data.data(),
                                                      d_sums.data());
            else if (kernel == 1)
                split_barrier<<<blocks, block_size>>>(load, d_data.data(),
                                                      d_sums.data());
            else
                split_by_warp<<<blocks, block_size>>>(load, d_data.data(),
                                                      d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        std::vector<unsigned> sums;
        for (std::size_t kernel = 0; kernel < 3; ++kernel) {
            lockstep::check(cudaMemcpy(d_data.data(), data.data(), d_data.bytes(),
                                       cudaMemcpyHostToDevice));
            d_sums.fill_bytes(0xFF);
            launch(kernel);
            wrong += lockstep::count_mismatches(d_data.to_host(), expected);
            if (kernel == 0) sums = d_sums.to_host();
            wrong += lockstep::count_mismatches(d_sums.to_host(), sums);
        }
        std::printf("%14d", independent);
        const auto times = lockstep::time_in_turns(3, launch);
        for (std::size_t kernel = 0; kernel < 3; ++kernel) {
            const double ns = 1e6 * times[kernel].median_ms / steps;
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f ns", ns);
            std::printf("%15s", text);
            series.row("\"%s\",%d,%.1f", names[kernel], independent, ns);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
