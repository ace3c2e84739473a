// Which threads of a block form a warp? The threads are counted with x fastest, then y,
// then z; each 32 in that order are a warp. The program compares this rule with what
// the hardware says.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Where a thread of a block landed.
struct seat {
    int warp;  ///< by the rule
    int lane;  ///< by the rule
    int special_lane;  ///< lane register of the hardware
};

// [kernel]
/// Each thread of one block notes its warp and its lane.
/// @param seats  one seat per thread in device memory, in linear order
__global__ void find_seat(seat* seats) {
    const int linear =
        threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    seats[linear] = {linear / warpSize, linear % warpSize, lane};
}
// [/kernel]

int main() {
    lockstep::require_device();

    const dim3 block(8, 4, 2);
    constexpr int threads = 8 * 4 * 2;
    lockstep::device_buffer<seat> d_seats(threads);
    d_seats.fill_bytes(0xFF);
    find_seat<<<1, block>>>(d_seats.data());
    lockstep::check(cudaGetLastError());
    const std::vector<seat> seats = d_seats.to_host();

    std::printf("    x = 0 ... 7, as warp:lane\n");
    for (unsigned z = 0; z < block.z; ++z) {
        for (unsigned y = 0; y < block.y; ++y) {
            std::printf("z=%u y=%u", z, y);
            for (unsigned x = 0; x < block.x; ++x) {
                const seat& here = seats[x + y * block.x + z * block.x * block.y];
                std::printf("  %d:%02d", here.warp, here.lane);
            }
            std::printf("\n");
        }
    }
    bool agree = true;
    for (const seat& here : seats) agree = agree && here.lane == here.special_lane;
    lockstep::report("rule agrees with hardware", agree);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
