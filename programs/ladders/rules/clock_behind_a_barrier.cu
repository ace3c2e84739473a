// Does a clock that is read after __syncthreads() tell when the barrier opened? Not on
// this GPU: nearly every warp reads it before the last warp has arrived. So the clock
// of warp 0, which has no work, reports that the block took no time. The span from the
// first begin to the last clock of all warps is the time of the block.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int warps = 24;

/// A warp's times, in cycles of the clock of its SM.
struct visit {
    long long begin;    ///< before its work
    long long arrived;  ///< before the barrier
    long long after;    ///< after the barrier
};

// [kernel]
/// Warp w works for w * 1000 cycles, then the block synchronizes.
/// @param visits  device array, one entry for each warp of the block
__global__ void work_and_sync(visit* visits) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const long long begin = clock64();
    while (clock64() - begin < warp * 1000) {
    }
    const long long arrived = clock64();
    __syncthreads();
    const long long after = clock64();
    if (threadIdx.x % 32 == 0) visits[warp] = {begin, arrived, after};
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<visit> d_visits(warps);
    d_visits.fill_bytes(0xFF);
    work_and_sync<<<1, warps * 32>>>(d_visits.data());
    lockstep::check(cudaGetLastError());
    const std::vector<visit> visits = d_visits.to_host();

    // [spans]
    long long first_begin = visits[0].begin;
    long long last_arrival = visits[0].arrived;
    long long last_clock = visits[0].after;
    for (const visit& one : visits) {
        first_begin = std::min(first_begin, one.begin);
        last_arrival = std::max(last_arrival, one.arrived);
        last_clock = std::max(last_clock, one.after);
    }
    // [/spans]
    int early = 0;
    for (const visit& one : visits) early += one.after < last_arrival;
    lockstep::report("warps", warps);
    lockstep::report("clocks read too early", lockstep::counted{early});
    lockstep::report("cycles, clock of warp 0",
                     lockstep::counted{visits[0].after - visits[0].begin});
    lockstep::report("cycles, clocks of all warps",
                     lockstep::counted{last_clock - first_begin});
    return last_clock - first_begin >= (warps - 1) * 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
