// The lane of a thread, found by three means: by arithmetic, by inline PTX that reads a
// special register, and by the function of cuda::ptx for that register. All three
// agree, in blocks of one and of two dimensions.

#include <cstdio>
#include <cstdlib>

#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Counts threads in which the three do not agree.
/// @param differ  one int in device memory, increased
__global__ void compare(int* differ) {
    const unsigned in_block = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned by_arithmetic = in_block % 32;
    unsigned by_assembly = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(by_assembly));
    const unsigned by_library = cuda::ptx::get_sreg_laneid();
    if (by_arithmetic != by_assembly || by_assembly != by_library) atomicAdd(differ, 1);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> differ(1);
    bool agree = true;
    for (const dim3 block : {dim3(256), dim3(7, 13)}) {
        differ.fill_bytes(0);
        compare<<<100, block>>>(differ.data());
        lockstep::check(cudaGetLastError());
        const int count = differ.to_host()[0];
        std::printf("blocks of %3u x %-2u           %d threads differ\n", block.x,
                    block.y, count);
        agree = agree && count == 0;
    }
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}
