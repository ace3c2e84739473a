// A kernel can fix the size of its blocks and of its clusters. Then the first number
// of the execution configuration counts clusters; the second is left out, or 1.

#include <cstdio>
#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Stores what the kernel knows about its launch.
/// @param shape  three ints in device memory, written: blocks, threads of a block,
///               blocks of a cluster
__global__ void __block_size__((128, 1, 1), (2, 1, 1)) store_shape(int* shape) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    shape[0] = gridDim.x;
    shape[1] = blockDim.x;
    shape[2] = static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_shape(3);
    const lockstep::owned_stream stream(cudaStreamDefault);
    bool right = true;
    for (const bool in_stream : {false, true}) {
        d_shape.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        // [launch]
        if (in_stream)
            // 2 clusters; 1 and 0 only hold the places
            store_shape<<<2, 1, 0, stream>>>(d_shape.data());
        else
            store_shape<<<2>>>(d_shape.data());
        // [/launch]
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        const auto shape = d_shape.to_host();
        std::printf("%-28s%d blocks of %d threads, %d to a cluster\n",
                    in_stream ? "<<<2, 1, 0, stream>>>" : "<<<2>>>", shape[0], shape[1],
                    shape[2]);
        right = right && shape[0] == 4 && shape[1] == 128 && shape[2] == 2;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
