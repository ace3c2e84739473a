// Which branches make a warp diverge? It depends on the shape of the block. A branch on
// threadIdx.y never does so in a block that is 32 threads wide, and does so in all
// warps of a narrower one, since two rows share a warp.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Counts the warps of a block in which a branch goes both ways.
/// @param by_row  whether the branch asks threadIdx.y or threadIdx.x for an odd number
/// @param split   one int in device memory, increased by the number of split warps
__global__ void count_split_warps(bool by_row, int* split) {
    const bool odd = (by_row ? threadIdx.y : threadIdx.x) % 2 == 1;
    const int number = threadIdx.x + blockDim.x * threadIdx.y;
    const unsigned odd_lanes = __ballot_sync(0xFFFFFFFF, odd);
    if (number % 32 == 0) atomicAdd(split, odd_lanes != 0 && odd_lanes != 0xFFFFFFFF);
}
// [/kernel]

int main() {
    lockstep::require_device(70);

    struct shape {
        unsigned x;
        unsigned y;
        int by_column;  // warps that a branch on x splits, by counting
        int by_row;  // warps that a branch on y splits
    };
    // A row of a block 16 wide is half a warp, so each warp holds an even and an odd
    // row.
    constexpr shape shapes[] = {
        {32, 8, 8, 0}, {16, 16, 8, 8}, {64, 4, 8, 0}, {1, 256, 0, 8}};
    bool right = true;
    std::printf("block       warps    split by odd x    split by odd y\n");
    for (const shape& block : shapes) {
        int split[2] = {};
        for (const bool by_row : {false, true}) {
            lockstep::device_buffer<int> d_split(1);
            d_split.fill_bytes(0);
            // [launch]
            count_split_warps<<<1, dim3(block.x, block.y)>>>(by_row, d_split.data());
            // [/launch]
            lockstep::check(cudaGetLastError());
            split[by_row] = d_split.to_host()[0];
        }
        std::printf("%2u x %-3u%9u%18d%18d\n", block.x, block.y, block.x * block.y / 32,
                    split[0], split[1]);
        right = right && split[0] == block.by_column && split[1] == block.by_row;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
