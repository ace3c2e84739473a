// Is there a shorter form? cuda::for_each_canceled_block calls a function for the
// block's own index, and then for each block that it could cancel. On a GPU below
// compute capability 10.0 it calls the function once.

#include <cstdlib>
#include <vector>

#include <cuda/work_stealing>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Counts each tile of a line of tiles, in the block that computes it.
/// @param done     a count for each block of the grid, in device memory
/// @param started  counts the blocks that started, in device memory
__global__ void count_line(int* done, int* started) {
    if (threadIdx.x == 0) atomicAdd(started, 1);  // the prologue: once for each block
    cuda::for_each_canceled_block<1>([=](dim3 block) {
        if (threadIdx.x == 0) atomicAdd(&done[block.x], 1);
    });
}

/// Counts each tile of a rectangle of tiles.
/// @param done     a count for each block of the grid, row by row, in device memory
/// @param started  counts the blocks that started, in device memory
__global__ void count_rectangle(int* done, int* started) {
    if (threadIdx.x == 0) atomicAdd(started, 1);
    cuda::for_each_canceled_block<2>([=](dim3 block) {
        if (threadIdx.x == 0) atomicAdd(&done[block.y * gridDim.x + block.x], 1);
    });
}
// [/kernels]

int main() {
    lockstep::require_device();
    constexpr int tiles = 6000;
    bool right = true;
    for (const bool line : {true, false}) {
        lockstep::device_buffer<int> d_done(std::vector<int>(tiles, 0));
        lockstep::device_buffer<int> d_started(std::vector<int>{0});
        if (line)
            count_line<<<tiles, 32>>>(d_done.data(), d_started.data());
        else
            count_rectangle<<<dim3(tiles / 50, 50), 32>>>(d_done.data(),
                                                          d_started.data());
        lockstep::check(cudaGetLastError());
        bool each_once = true;
        for (const int times : d_done.to_host()) each_once &= times == 1;
        const int started = d_started.to_host()[0];
        lockstep::report(line ? "line: tiles" : "rectangle: tiles", tiles);
        lockstep::report("blocks that started", started);
        lockstep::report("each tile counted once", each_once);
        right &= each_once;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
