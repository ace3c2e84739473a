// What does a block of 97 threads cost? Four warps, since warps are whole. The last one
// runs with a single active lane, and its other 31 lanes idle from beginning to end.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// The first thread of each warp notes which lanes are active.
/// @param masks  one bit mask per warp in device memory
__global__ void note_active_lanes(unsigned* masks) {
    const unsigned active = __activemask();
    if (threadIdx.x % warpSize == 0) masks[threadIdx.x / warpSize] = active;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 97, 1, 1024);
    options.finish();
    lockstep::require_device();

    const int warps = (threads + 31) / 32;
    lockstep::device_buffer<unsigned> d_masks(warps);
    d_masks.fill_bytes(0);
    note_active_lanes<<<1, threads>>>(d_masks.data());
    lockstep::check(cudaGetLastError());

    int active = 0;
    lockstep::report("threads", threads);
    lockstep::report("warps", warps);
    for (const unsigned mask : d_masks.to_host()) {
        const int lanes = __builtin_popcount(mask);
        active += lanes;
        lockstep::report("active lanes in a warp", lanes);
    }
    lockstep::report("idle lanes", warps * 32 - active);
    return active == threads ? EXIT_SUCCESS : EXIT_FAILURE;
}
