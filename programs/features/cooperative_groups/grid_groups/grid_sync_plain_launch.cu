// What does grid.sync() do in a kernel that was launched with <<<>>>? In a fresh
// process the group says that it is not valid, and sync() stops the kernel with a trap.
// After a cooperative launch of the same kernel, a plain one may find the group valid,
// since what that launch set up is still there. So is_valid() proves nothing.

#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// Notes whether the grid can be synchronized, and does it if asked to.
/// @param sync   whether to call sync()
/// @param valid  device value, written: 1 if the group is valid
__global__ void try_grid(bool sync, int* valid) {
    const cg::grid_group grid = cg::this_grid();
    if (grid.thread_rank() == 0) *valid = grid.is_valid();
    if (sync) grid.sync();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fresh = options.flag("fresh");  // no cooperative launch before
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_valid(1);
    d_valid.fill_bytes(0xFF);
    int* valid = d_valid.data();
    if (!fresh) {
        bool sync = true;
        void* parameters[] = {&sync, &valid};
        // [cooperative]
        lockstep::check(
            cudaLaunchCooperativeKernel(try_grid, 4, 64, parameters, 0, nullptr));
        const cudaError_t cooperative = cudaDeviceSynchronize();
        // [/cooperative]
        lockstep::report("cooperative launch, valid", d_valid.to_host()[0] == 1);
        lockstep::report("sync", cudaGetErrorName(cooperative));
        if (cooperative != cudaSuccess) return EXIT_FAILURE;
    }
    try_grid<<<4, 64>>>(false, valid);
    lockstep::check(cudaGetLastError());
    const int valid_plain = d_valid.to_host()[0];

    // [plain]
    try_grid<<<4, 64>>>(true, valid);
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t plain = cudaDeviceSynchronize();
    // [/plain]
    lockstep::report("plain launch, valid", valid_plain == 1);
    lockstep::report("launch", cudaGetErrorName(launched));
    lockstep::report("sync", cudaGetErrorName(plain));
    // of an invalid group, sync() must fail; of a valid one, anything may happen
    return launched == cudaSuccess && (valid_plain == 1 || plain != cudaSuccess)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
