// What if half of a tile calls sync(), and the other half waits for the block? The
// behavior is undefined, and on a GPU the kernel may hang. So the program launches it
// only in the emulator, where each half waits for the other, and which says where.

#include <cstdlib>
#include <cstring>

#include <cooperative_groups.h>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// The lower half of each warp waits for its warp, the upper half for the block.
__global__ void sync_in_branch() {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    if (warp.thread_rank() < 16) warp.sync();
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

    sync_in_branch<<<1, 64>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    return EXIT_FAILURE;  // it cannot come to its end
}
