// Which 32 threads of a block form a warp? Those that follow each other when x counts
// fastest, then y, then z. Each thread of a block computes its number by that rule, and
// compares it with what the hardware says: its lane, and which threads share its warp.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Where a thread is, by the rule and by the hardware.
struct place {
    int x;  ///< threadIdx.x
    int y;  ///< threadIdx.y
    int z;  ///< threadIdx.z
    int number;  ///< by the rule
    int lane;  ///< the hardware's number of the thread in its warp
    int together;  ///< whether all threads of its warp compute the same number / 32
};

// [kernel]
/// Notes the place of each thread of one block.
/// @param places  one element for each thread, in device memory
__global__ void note_places(place* places) {
    const int number =
        threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int lane = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    // the lanes of this warp that exist: 32, but in the last warp perhaps fewer
    const int left = blockDim.x * blockDim.y * blockDim.z - number / 32 * 32;
    const unsigned lanes = left >= 32 ? 0xFFFFFFFF : (1u << left) - 1;
    int together = 0;
    __match_all_sync(lanes, number / 32, &together);
    places[number] = {static_cast<int>(threadIdx.x),
                      static_cast<int>(threadIdx.y),
                      static_cast<int>(threadIdx.z),
                      number,
                      lane,
                      together};
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned x = options.integer<unsigned>("x", 4, 1, 1024);
    const unsigned y = options.integer<unsigned>("y", 4, 1, 1024);
    const unsigned z = options.integer<unsigned>("z", 4, 1, 64);
    options.finish();
    lockstep::require_device(70);

    const unsigned threads = x * y * z;
    lockstep::device_buffer<place> d_places(threads);
    d_places.fill_bytes(0xFF);
    note_places<<<1, dim3(x, y, z)>>>(d_places.data());
    lockstep::check(cudaGetLastError());
    const std::vector<place> places = d_places.to_host();

    std::printf("thread (x, y, z)    number    warp    lane\n");
    bool right = true;
    for (int i = 0; i < static_cast<int>(threads); ++i) {
        const place& p = places[i];
        right = right && p.number == i && p.lane == i % 32 && p.together;
        const bool shown = i < 2 || i % 32 >= 31 || i % 32 == 0 ||
                           i + 1 == static_cast<int>(threads) || p.x + 1u == x;
        if (shown && i < 40)
            std::printf("(%2d, %2d, %2d)%15d%8d%8d\n", p.x, p.y, p.z, p.number, i / 32,
                        p.lane);
    }
    lockstep::report("threads", threads);
    lockstep::report("warps", (threads + 31) / 32);
    lockstep::report("rule and hardware agree", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
