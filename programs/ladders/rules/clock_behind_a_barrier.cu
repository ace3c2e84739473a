// Does a clock behind a barrier tell when the barrier opened? It is read before. A
// barrier makes memory accesses wait, and reading the clock is none: the warp goes on
// until it meets something that has to wait. So the first warp, which has nothing to
// do, says that the block took no time. All warps' clocks together tell the truth.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>

constexpr int warps = 24;

/// A warp's times, in cycles of the multiprocessor's clock.
struct visit {
    long long begin;    ///< before its work
    long long arrived;  ///< before the barrier
    long long behind;   ///< behind the barrier
};

// [kernel]
/// Warp w works for w * 1000 cycles, then all meet.
/// @param visits  device array, one for each warp of the block
__global__ void work_and_meet(visit* visits) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const long long begin = clock64();
    while (clock64() - begin < warp * 1000) {
    }
    const long long arrived = clock64();
    __syncthreads();
    const long long behind = clock64();
    if (threadIdx.x % 32 == 0) visits[warp] = {begin, arrived, behind};
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<visit> d_visits(warps);
    d_visits.fill_bytes(0xFF);
    work_and_meet<<<1, warps * 32>>>(d_visits.data());
    lockstep::check(cudaGetLastError());
    const std::vector<visit> visits = d_visits.to_host();

    // [spans]
    long long first_begin = visits[0].begin;
    long long last_arrival = visits[0].arrived;
    long long last_clock = visits[0].behind;
    for (const visit& visit : visits) {
        first_begin = std::min(first_begin, visit.begin);
        last_arrival = std::max(last_arrival, visit.arrived);
        last_clock = std::max(last_clock, visit.behind);
    }
    // [/spans]
    int early = 0;
    for (const visit& visit : visits) early += visit.behind < last_arrival;
    lockstep::report("warps", warps);
    lockstep::report("read before all were there", lockstep::counted{early});
    lockstep::report("cycles, says the first warp",
                     lockstep::counted{visits[0].behind - visits[0].begin});
    lockstep::report("cycles, say all together",
                     lockstep::counted{last_clock - first_begin});
    return last_clock - first_begin >= (warps - 1) * 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
