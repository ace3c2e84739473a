// What if only one thread of each block calls grid.sync()? The barrier is for all
// threads of the grid, so the behavior is undefined, and on a GPU the kernel may hang.
// The program launches it only in the emulator. There the one waits for the others,
// which wait for it at the next barrier of the block.

#include <cstdlib>
#include <cstring>

#include <cooperative_groups.h>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// One thread of each block waits for the grid, the others wait for that thread.
__global__ void sync_by_one_thread() {
    const cg::thread_block block = cg::this_thread_block();
    const cg::grid_group grid = cg::this_grid();
    if (block.thread_rank() == 0) grid.sync();
    block.sync();
}
// [/kernel]

int main() {
    lockstep::require_device();

    cudaDeviceProp properties;
    lockstep::check(cudaGetDeviceProperties(&properties, 0));
    const bool emulated = std::strcmp(properties.name, "Lockstep emulator") == 0;
    lockstep::report("kernel launched", emulated);
    if (!emulated) return EXIT_SUCCESS;

    lockstep::check(
        cudaLaunchCooperativeKernel(sync_by_one_thread, 4, 64, nullptr, 0, nullptr));
    lockstep::check(cudaDeviceSynchronize());
    return EXIT_FAILURE;  // it cannot come to its end
}
