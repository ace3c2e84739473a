// What if one block waits for what the others do after grid.sync(), and does not call
// it? They wait for the block, and it waits for them. On a GPU this kernel would never
// finish, so the program launches it only in the emulator, which sees that no thread
// can go on, and says who waits where.

#include <cstdlib>
#include <cstring>

#include <cooperative_groups.h>

#include <lockstep/check.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// Block 0 waits for the results of the others, which wait for the whole grid first.
/// @param done  counter in device memory: the blocks that have a result
__global__ void meet(int* done) {
    const cg::grid_group grid = cg::this_grid();
    if (grid.block_rank() == 0) {
        while (atomicAdd(done, 0) < static_cast<int>(grid.num_blocks()) - 1) {
        }
    } else {
        grid.sync();  // block 0 never comes
        if (threadIdx.x == 0) atomicAdd(done, 1);
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    cudaDeviceProp properties;
    lockstep::check(cudaGetDeviceProperties(&properties, 0));
    const bool emulated = std::strcmp(properties.name, "Lockstep emulator") == 0;
    lockstep::report("kernel launched", emulated);
    if (!emulated) return EXIT_SUCCESS;

    lockstep::device_buffer<int> d_done(1);
    d_done.fill_bytes(0);
    int* done = d_done.data();
    void* parameters[] = {&done};
    lockstep::check(cudaLaunchCooperativeKernel(meet, 4, 32, parameters, 0, nullptr));
    lockstep::check(cudaDeviceSynchronize());
    return EXIT_FAILURE;  // it cannot come to its end
}
