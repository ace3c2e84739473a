// What does grid.sync() do in a kernel that was launched with <<<>>>? The group says
// that it is not valid, and sync() stops the kernel with a trap. The error is sticky:
// the process cannot use the GPU any more.

#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>

namespace cg = cooperative_groups;

// [kernel]
/// Notes whether the grid can be synchronized, and does it if told to.
/// @param meet   whether to call sync()
/// @param valid  device value, written: 1 if the group is valid
__global__ void try_grid(bool meet, int* valid) {
    const cg::grid_group grid = cg::this_grid();
    if (grid.thread_rank() == 0) *valid = grid.is_valid();
    if (meet) grid.sync();
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_valid(1);
    d_valid.fill_bytes(0xFF);
    int* valid = d_valid.data();
    bool meet = true;
    void* parameters[] = {&meet, &valid};
    // [cooperative]
    lockstep::check(
        cudaLaunchCooperativeKernel(try_grid, 4, 64, parameters, 0, nullptr));
    const cudaError_t cooperative = cudaDeviceSynchronize();
    // [/cooperative]
    const int valid_cooperative = d_valid.to_host()[0];

    try_grid<<<4, 64>>>(false, valid);
    lockstep::check(cudaGetLastError());
    const int valid_plain = d_valid.to_host()[0];

    // [plain]
    try_grid<<<4, 64>>>(true, valid);
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t plain = cudaDeviceSynchronize();
    // [/plain]
    lockstep::report("valid, cooperative launch", valid_cooperative == 1);
    lockstep::report("sync, cooperative launch", cudaGetErrorName(cooperative));
    lockstep::report("valid, plain launch", valid_plain == 1);
    lockstep::report("plain launch", cudaGetErrorName(launched));
    lockstep::report("sync, plain launch", cudaGetErrorName(plain));
    return valid_cooperative == 1 && cooperative == cudaSuccess && valid_plain == 0 &&
                   launched == cudaSuccess && plain != cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
