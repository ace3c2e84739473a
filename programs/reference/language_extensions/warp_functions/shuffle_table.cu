// From which lane does each shuffle read? Every lane sends its number, so the number
// that it receives is the lane that it read. The width is 8: a warp consists of four
// sections of eight lanes, and the table shows the first two.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int rows = 9;

// [kernel]
/// One warp.
/// @param received  `rows` times 32 ints in device memory: what each lane received
__global__ void shuffle(int* received) {
    const int lane = threadIdx.x;
    constexpr unsigned all = 0xffffffff;
    const int results[rows] = {
        __shfl_sync(all, lane, 2, 8),       // lane 2 of each section
        __shfl_sync(all, lane, 10, 8),      // 10 modulo 8 is 2
        __shfl_up_sync(all, lane, 3, 8),    // the first three have no source
        __shfl_up_sync(all, lane, 8, 8),    // no lane has a source
        __shfl_down_sync(all, lane, 3, 8),  // the last three have no source
        __shfl_down_sync(all, lane, 8, 8),  // no lane has a source
        __shfl_xor_sync(all, lane, 1, 8),   // neighbors swap
        __shfl_xor_sync(all, lane, 7, 8),   // each section is reversed
        __shfl_xor_sync(all, lane, 8, 8),   // sources outside of the section
    };
    for (int row = 0; row < rows; ++row) received[row * 32 + lane] = results[row];
}
// [/kernel]

/// The source by the rules of the documentation, for lanes in sections of eight.
int source(int row, int lane) {
    const int first = lane / 8 * 8, last = first + 7;
    switch (row) {
        case 0:
        case 1: return first + 2;
        case 2: return lane - 3 < first ? lane : lane - 3;
        case 4: return lane + 3 > last ? lane : lane + 3;
        case 6: return lane ^ 1;
        case 7: return lane ^ 7;
        case 8:
            return (lane ^ 8) > last ? lane : lane ^ 8;  // an earlier section is read
        default: return lane;
    }
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_received(rows * 32);
    d_received.fill_bytes(0xFF);
    shuffle<<<1, 32>>>(d_received.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> received = d_received.to_host();

    constexpr const char* names[rows] = {
        "__shfl_sync, 2",     "__shfl_sync, 10",     "__shfl_up_sync, 3",
        "__shfl_up_sync, 8",  "__shfl_down_sync, 3", "__shfl_down_sync, 8",
        "__shfl_xor_sync, 1", "__shfl_xor_sync, 7",  "__shfl_xor_sync, 8"};
    bool right = true;
    for (int row = -1; row < rows; ++row) {
        std::string line;
        for (int lane = 0; lane < 16; ++lane) {
            char cell[8];
            std::snprintf(cell, sizeof cell, "%s%2d",
                          lane == 8 ? " | "
                          : lane    ? " "
                                    : "",
                          row < 0 ? lane : received[row * 32 + lane]);
            line += cell;
        }
        lockstep::report(row < 0 ? "lane" : names[row], line.c_str());
        for (int lane = 0; row >= 0 && lane < 32; ++lane)
            right = right && received[row * 32 + lane] == source(row, lane);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
