// How does a program find out that a launch was refused? The launch syntax returns
// nothing. The status is stored as the thread's last error, to be read right after the
// launch. Here are seven launches that no current GPU accepts; none of them runs, and
// none of them harms the launch that follows.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Counts the threads that ran.
/// @param ran  one counter on the device
__global__ void count(unsigned* ran) { atomicAdd(ran, 1u); }

/// Adds the sum of 96 values to each of them. All 96 stay in registers until the sum is
/// known.
/// @param values  96 values for each thread, on the device
/// @param ran     one counter on the device
__global__ void keep_many(float* values, unsigned* ran) {
    float kept[96];
    float sum = 0;
    float* mine = values + 96 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
    for (int i = 0; i < 96; ++i) {
        kept[i] = mine[i];
        sum += kept[i];
    }
#pragma unroll
    for (int i = 0; i < 96; ++i) mine[i] = kept[i] + sum;
    atomicAdd(ran, 1u);
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<unsigned> d_ran(1);
    lockstep::device_buffer<float> d_values(96 * 1024);
    d_ran.fill_bytes(0);
    d_values.fill_bytes(0);
    unsigned* ran = d_ran.data();

    // [status]
    bool all_refused = true;
    const auto refused = [&](const char* label) {
        // reads the launch's status and clears it
        const cudaError_t status = cudaGetLastError();
        lockstep::report(label, cudaGetErrorName(status));
        all_refused = all_refused && status != cudaSuccess;
    };
    // [/status]

    // [launches]
    count<<<1, 4096>>>(ran);
    refused("4096 threads in a block");
    count<<<1, dim3(32, 32, 2)>>>(ran);
    refused("32 x 32 x 2 threads");
    count<<<1, 0>>>(ran);
    refused("0 threads in a block");
    count<<<0, 1>>>(ran);
    refused("0 blocks");
    count<<<dim3(1, 65536), 1>>>(ran);
    refused("grid of 1 x 65536 blocks");
    count<<<1, 1, 48 * 1024 + 1>>>(ran);
    refused("48 KiB + 1 shared memory");
    keep_many<<<1, 1024>>>(d_values.data(), ran);
    refused("too many registers x 1024");
    // [/launches]
    const unsigned of_the_seven = d_ran.to_host()[0];
    lockstep::report("threads run by the seven", of_the_seven);

    // [accepted]
    count<<<1, 1024>>>(ran);
    lockstep::report("1024 threads in a block", cudaGetErrorName(cudaGetLastError()));
    // [/accepted]
    const unsigned of_the_eighth = d_ran.to_host()[0] - of_the_seven;
    lockstep::report("threads run by the eighth", of_the_eighth);
    const bool right = all_refused && of_the_seven == 0 && of_the_eighth == 1024;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
