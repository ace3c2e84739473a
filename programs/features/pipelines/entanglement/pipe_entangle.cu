// What does a commit in divergent code cost? A warp copies a batch from near memory and
// a batch from far memory, and waits for the near one. Where its lanes commit the far
// batch one by one, the wait for the near batch waits for the far one as well.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int rounds = 25;  // the first four warm up
constexpr int warm_up = 4;

/// Where the lanes of a warp commit one by one.
enum class diverged { nowhere, near, far, far_then_syncwarp };

/// Durations in cycles of lane 0.
struct durations {
    long long issue;  ///< of issuing both batches
    long long near_wait;  ///< of the wait for the near one
    long long far_wait;  ///< of the wait for the far one
};

// [commit]
/// Copies a word for each lane and commits.
/// @tparam one_by_one  whether each lane copies while the others do not
/// @tparam syncwarp    whether the warp converges again before it commits
/// @param pipe         pipeline of the calling thread
/// @param to           32 words in shared memory
/// @param from         32 words
template <bool one_by_one, bool syncwarp>
__device__ void fetch(cuda::pipeline<cuda::thread_scope_thread>& pipe, int* to,
                      const int* from) {
    const int lane = threadIdx.x;
    pipe.producer_acquire();
    if (one_by_one) {
#pragma unroll 1
        for (int turn = 0; turn < 32; ++turn) {
            if (turn != lane) continue;
            cuda::memcpy_async(&to[lane], &from[lane], sizeof(int), pipe);
            if (!syncwarp) pipe.producer_commit();
        }
        __syncwarp();
        if (syncwarp) pipe.producer_commit();
    } else {
        cuda::memcpy_async(&to[lane], &from[lane], sizeof(int), pipe);
        pipe.producer_commit();
    }
}
// [/commit]

// [kernel]
/// Copies both batches and waits for one after the other.
/// @tparam where  where the lanes commit one by one
/// @param near    32 words in device memory, the same in each round
/// @param far     rounds * 32 words in the host's memory
/// @param sums    rounds * 32 words in device memory, written: near plus far
/// @param times   rounds elements in device memory, written
template <diverged where>
__global__ void two_batches(const int* near, const int* far, int* sums,
                            durations* times) {
    __shared__ int words[2][32];
    const int lane = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int i = 0; i < rounds; ++i) {
        __syncwarp();
        const long long begin = clock64();
        fetch<where == diverged::near, false>(pipe, words[0], near);
        fetch<where == diverged::far || where == diverged::far_then_syncwarp,
              where == diverged::far_then_syncwarp>(pipe, words[1], &far[i * 32]);
        __syncwarp();
        const long long issued = clock64();
        cuda::pipeline_consumer_wait_prior<1>(pipe);  // all but the newest batch
        const int sum = words[0][lane];
        const long long near_there = clock64();
        cuda::pipeline_consumer_wait_prior<0>(pipe);
        sums[i * 32 + lane] = sum + words[1][lane];
        const long long far_there = clock64();
        if (lane == 0)
            times[i] = {issued - begin, near_there - issued, far_there - near_there};
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    std::vector<int> near(32), expected(rounds * 32);
    int* far = nullptr;  // memory of the host, far from the GPU
    lockstep::check(
        cudaHostAlloc(&far, rounds * 32 * sizeof(int), cudaHostAllocMapped));
    for (int i = 0; i < 32; ++i) near[i] = 1000 * i;
    for (int i = 0; i < rounds * 32; ++i) {
        far[i] = i * i % 1009;
        expected[i] = near[i % 32] + far[i];
    }
    const lockstep::device_buffer<int> d_near(near);
    lockstep::device_buffer<int> d_sums(rounds * 32);
    lockstep::device_buffer<durations> d_times(rounds);
    lockstep::csv_file series(csv, "commits,~issue,~near_wait,~far_wait");
    std::printf("median cycles of %d rounds\n", rounds - warm_up);
    std::printf("%-34s%7s%12s%11s\n", "commits", "issue", "near wait", "far wait");
    bool right = true;
    const auto run = [&](const char* name, auto kernel) {
        d_sums.fill_bytes(0xFF);
        kernel<<<1, 32>>>(d_near.data(), far, d_sums.data(), d_times.data());
        lockstep::check(cudaGetLastError());
        const std::vector<durations> times = d_times.to_host();
        right = right && d_sums.to_host() == expected;
        const auto median = [&](long long durations::* which) {
            std::vector<long long> all;
            for (int i = warm_up; i < rounds; ++i) all.push_back(times[i].*which);
            std::sort(all.begin(), all.end());
            return all[all.size() / 2];
        };
        const long long cycles[] = {median(&durations::issue),
                                    median(&durations::near_wait),
                                    median(&durations::far_wait)};
        char text[3][24];
        for (int i = 0; i < 3; ++i) std::snprintf(text[i], 24, "~%lld", cycles[i]);
        std::printf("%-34s%7s%12s%11s\n", name, text[0], text[1], text[2]);
        series.row("\"%s\",%lld,%lld,%lld", name, cycles[0], cycles[1], cycles[2]);
    };
    run("converged", two_batches<diverged::nowhere>);
    run("near batch lane by lane", two_batches<diverged::near>);
    run("far batch lane by lane", two_batches<diverged::far>);
    run("far batch, then __syncwarp", two_batches<diverged::far_then_syncwarp>);
    series.finish();
    lockstep::check(cudaFreeHost(far));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
