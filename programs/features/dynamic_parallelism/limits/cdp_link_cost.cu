// What does it cost to be able to launch from kernels, if no kernel does? The same
// program is built twice, once with a kernel that could launch, and so with the device
// runtime. It measures a kernel that has nothing to do with launches.

#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Adds one to each element; in both builds the same.
/// @param n  number of elements
/// @param x  n ints in device memory, changed
__global__ void add_one(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ++x[i];
}

#ifdef LAUNCHES
/// Could launch a grid, and is itself launched once, without elements.
/// @param n  number of elements
/// @param x  n ints in device memory
__global__ void could_launch(int n, int* x) {
    if (n > 0) add_one<<<(n + 255) / 256, 256>>>(n, x);
}
#endif
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int runs = options.flag("untimed") ? 1 : 40;
    options.finish();
    lockstep::require_device();

    constexpr int n = 1 << 20;
    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
#ifdef LAUNCHES
    could_launch<<<1, 1>>>(0, d_x.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
#endif
    const auto timed = [&](int elements) {
        const auto work = [&] {
            add_one<<<(elements + 255) / 256, 256>>>(elements, d_x.data());
        };
        return 1e3 * lockstep::time_back_to_back(work, runs).median_ms;
    };
    lockstep::report("kernel of one block", lockstep::measured{timed(256)}, "us");
    lockstep::report("kernel of 4096 blocks", lockstep::measured{timed(n)}, "us");
    lockstep::report("GPU memory in use",
                     lockstep::measured{lockstep::memory_in_use() / double(1 << 20)},
                     "MiB");
    const std::vector<int> x = d_x.to_host();
    return x[0] > x[n - 1] && x[n - 1] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
