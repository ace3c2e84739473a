// How far away is another block's shared memory? Farther than its own, nearer than
// global memory. One thread follows a chain of indices, each load waiting for the one
// before, in three places.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int links = 1024;
constexpr int steps = 4096;

// [kernel]
/// Follows a chain; the first thread of the first block of a cluster of two does the
/// walk.
/// @param where   0: own shared memory, 1: the other block's, 2: global memory
/// @param next    `links` indices in device memory, one cycle
/// @param cycles  one number in device memory: clock cycles of all steps
/// @param end     one index in device memory: where the walk ended
__global__ void __cluster_dims__(2, 1, 1)
    follow(int where, const int* next, long long* cycles, int* end) {
    __shared__ int chain[links];
    const cooperative_groups::cluster_group cluster =
        cooperative_groups::this_cluster();
    for (int i = threadIdx.x; i < links; i += blockDim.x) chain[i] = next[i];
    cluster.sync();
    if (cluster.thread_rank() == 0) {
        int place = 0;
        const long long begin = clock64();
        if (where == 0) {
            for (int step = 0; step < steps; ++step) place = chain[place];
        } else if (where == 1) {
            const int* other = cluster.map_shared_rank(chain, 1);
            for (int step = 0; step < steps; ++step) place = other[place];
        } else {
            // from L2, not L1
            for (int step = 0; step < steps; ++step) place = __ldcg(next + place);
        }
        *cycles = clock64() - begin;
        *end = place;
    }
    cluster.sync();  // the other block stays until the walk has ended
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(90);

    std::vector<int> next(links);
    // one cycle through all
    for (int i = 0; i < links; ++i) next[i] = (i * 5 + 387) % links;
    int expected = 0;
    for (int step = 0; step < steps; ++step) expected = next[expected];
    const lockstep::device_buffer<int> d_next(next);
    lockstep::device_buffer<long long> d_cycles(1);
    lockstep::device_buffer<int> d_end(1);
    const char* labels[] = {"own shared memory", "other block's shared memory",
                            "global memory, from L2"};
    double latency[3] = {};
    bool right = true;
    for (int where = 0; where < 3; ++where) {
        d_end.fill_bytes(0xFF);
        for (int run = 0; run < 3; ++run) {  // the last one counts: everything is warm
            follow<<<2, 128>>>(where, d_next.data(), d_cycles.data(), d_end.data());
            lockstep::check(cudaGetLastError());
        }
        latency[where] = static_cast<double>(d_cycles.to_host()[0]) / steps;
        right = right && d_end.to_host()[0] == expected;
        lockstep::report(labels[where], lockstep::measured{latency[where]}, "cycles");
    }
    const bool order = latency[0] < latency[1] && latency[1] < latency[2];
    return right && (untimed || order) ? EXIT_SUCCESS : EXIT_FAILURE;
}
