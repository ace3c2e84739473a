// What does each lane of a warp receive from the four shuffles and from a ballot? Each
// lane offers ten times its number. The shuffles work in groups of eight lanes here, so
// that one line shows a whole group; where the source would lie outside of the group, a
// lane receives its own value.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int width = 8;  // lanes of a group
constexpr int results = 6;  // that each lane receives

// [kernel]
/// Each lane offers 10 * lane, and stores what it receives.
/// @param received  results x 32 ints in device memory, written; one warp
__global__ void exchange(int* received) {
    constexpr unsigned all = 0xFFFFFFFF;  // every lane of the warp takes part
    const int lane = threadIdx.x;
    const int value = 10 * lane;
    received[0 * 32 + lane] = __shfl_sync(all, value, 3, width);
    received[1 * 32 + lane] = __shfl_up_sync(all, value, 2, width);
    received[2 * 32 + lane] = __shfl_down_sync(all, value, 2, width);
    received[3 * 32 + lane] = __shfl_xor_sync(all, value, 1, width);

    const unsigned votes = __ballot_sync(all, lane % 3 == 0);
    const unsigned before_me = (1u << lane) - 1;  // one bit for each lower lane
    received[4 * 32 + lane] = __popc(votes);
    received[5 * 32 + lane] = __popc(votes & before_me);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_received(results * 32);
    d_received.fill_bytes(0xFF);
    exchange<<<1, 32>>>(d_received.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> received = d_received.to_host();

    std::vector<int> expected(results * 32);
    for (int lane = 0; lane < 32; ++lane) {
        const int group = lane / width * width;
        const int place = lane % width;
        expected[0 * 32 + lane] = 10 * (group + 3);
        expected[1 * 32 + lane] = 10 * (place >= 2 ? lane - 2 : lane);
        expected[2 * 32 + lane] = 10 * (place + 2 < width ? lane + 2 : lane);
        expected[3 * 32 + lane] = 10 * (lane ^ 1);
        expected[4 * 32 + lane] = 11;
        expected[5 * 32 + lane] = (lane + 2) / 3;
    }
    const auto line = [](const char* label, auto number) {
        std::string text;
        for (int lane = 0; lane < width; ++lane) {
            char cell[16];
            std::snprintf(cell, sizeof cell, "%5d", number(lane));
            text += cell;
        }
        lockstep::report(label, text.c_str());
    };
    line("lane", [](int lane) { return lane; });
    line("value that it offers", [](int lane) { return 10 * lane; });
    const char* labels[results] = {
        "__shfl_sync, from lane 3", "__shfl_up_sync, by 2",    "__shfl_down_sync, by 2",
        "__shfl_xor_sync, with 1",  "votes of the whole warp", "votes of lower lanes"};
    for (int i = 0; i < results; ++i)
        line(labels[i], [&](int lane) { return received[i * 32 + lane]; });
    return lockstep::count_mismatches(received, expected) == 0 ? EXIT_SUCCESS
                                                               : EXIT_FAILURE;
}
