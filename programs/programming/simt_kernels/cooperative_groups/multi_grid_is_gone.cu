// Can one group span several GPUs? It could until CUDA 12: this file used the group of
// all grids and the launch that made it. Both are gone from CUDA 13, so it does not
// compile.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

// [gone]
/// Waits for all grids on all GPUs.
__global__ void wait_for_all_gpus() { cooperative_groups::this_multi_grid().sync(); }

int main() {
    cudaLaunchParams on_each_gpu[2] = {};
    return cudaLaunchCooperativeKernelMultiDevice(on_each_gpu, 2);
}
// [/gone]
