// What do divergent commits cost a ring of stages? Each warp copies three rounds ahead,
// and its lanes copy in several groups, one after the other. If each group commits, the
// wait covers more than its round; a commit that the whole warp makes together does
// not.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int stages = 4;  // one is used while three are copied

// [fetch]
/// Copies 16 bytes for each lane: group by group, as a branch with several cases would.
/// @param converged  whether the warp converges before it commits
/// @param groups     number of groups of lanes, a power of 2
/// @param to         32 places in shared memory
/// @param from       32 places in device memory, or null to copy nothing
__device__ void fetch(bool converged, int groups, int4* to, const int4* from) {
    const int lane = threadIdx.x;
#pragma unroll 1
    for (int group = 0; group < groups; ++group) {
        if ((lane & (groups - 1)) != group) continue;
        if (from) __pipeline_memcpy_async(&to[lane], &from[lane], sizeof(int4));
        if (!converged) __pipeline_commit();
    }
    __syncwarp();
    if (converged) __pipeline_commit();
}
// [/fetch]

// [kernel]
/// Adds up what each lane copies. Both ways to commit run the same machine code.
/// @param converged  whether the warp converges before it commits
/// @param groups     number of groups of lanes, a power of 2
/// @param rounds     number of rounds
/// @param in         rounds * 32 places for each block in device memory
/// @param sums       one int for each lane in device memory, written
__global__ void ring(bool converged, int groups, int rounds, const int4* in,
                     int* sums) {
    __shared__ int4 words[stages][32];
    const int lane = threadIdx.x;
    in += std::size_t(blockIdx.x) * rounds * 32;
    int sum = 0;
    for (int i = 0; i < stages - 1; ++i)
        fetch(converged, groups, words[i], &in[i * 32]);
    for (int i = 0; i < rounds; ++i) {
        const int next = i + stages - 1;
        fetch(converged, groups, words[next % stages],
              next < rounds ? &in[next * 32] : nullptr);
        __pipeline_wait_prior(stages - 1);  // meant: all rounds but the last three
        const int4 word = words[i % stages][lane];  // which this lane has copied
        sum += word.x ^ word.y ^ word.z ^ word.w;
        __syncwarp();
    }
    sums[blockIdx.x * 32 + lane] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 132, 1, 1024);  // SMs of an H200
    const int rounds = options.integer("rounds", 4096, 4, 4096);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);

    std::vector<int> in(std::size_t(blocks) * rounds * 32 * 4), expected(blocks * 32);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<int>(i * 7919 % 10'007);
    for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < rounds * 32; ++i) {
            const int* word = &in[(std::size_t(b) * rounds * 32 + i) * 4];
            expected[b * 32 + i % 32] += word[0] ^ word[1] ^ word[2] ^ word[3];
        }
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_sums(blocks * 32);
    const auto* d_places = reinterpret_cast<const int4*>(d_in.data());
    const char* names[] = {"each group", "the whole warp"};
    lockstep::csv_file series(csv, "groups,commits,~ns");
    std::printf("time of a round, by what commits together\n");
    std::printf("%6s%15s%18s\n", "groups", names[0], names[1]);
    std::size_t wrong = 0;
    for (int groups = 1; groups <= 32; groups *= 2) {
        const auto launch = [&](std::size_t i) {
            ring<<<blocks, 32>>>(i == 1, groups, rounds, d_places, d_sums.data());
            lockstep::check(cudaGetLastError());
        };
        double ns[2] = {};
        for (std::size_t i = 0; i < 2; ++i) {
            d_sums.fill_bytes(0xFF);
            launch(i);
            wrong += lockstep::count_mismatches(d_sums.to_host(), expected);
        }
        if (!untimed) {
            const auto times = lockstep::time_in_turns(2, launch);
            for (int i = 0; i < 2; ++i) ns[i] = 1e6 * times[i].median_ms / rounds;
        }
        char text[2][24];
        for (int i = 0; i < 2; ++i) {
            std::snprintf(text[i], 24, "~%.0f ns", ns[i]);
            series.row("%d,\"%s\",%.4g", groups, names[i], ns[i]);
        }
        std::printf("%6d%15s%18s\n", groups, text[0], text[1]);
    }
    series.finish();
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
