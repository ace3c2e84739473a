// What do the arguments of __launch_bounds__ and __maxnreg__ change? The same kernel
// has fewer registers the more threads are to fit on an SM, and a launch with more
// threads than the bound fails.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>  // unused; goes with the next recording
#include <lockstep/require_device.hpp>

constexpr int most_values = 96;

// [body]
/// Keeps 96 values alive at once.
/// @param x  one float for each thread and 95 more in device memory, all 0
/// @param y  one float for each thread in device memory, written
__device__ void mix(const float* x, float* y) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float values[most_values], sum = 0;
#pragma unroll
    for (int i = 0; i < most_values; ++i) values[i] = x[thread + i];
#pragma unroll
    for (int round = 0; round < 4; ++round)
#pragma unroll
        for (int i = 0; i < most_values; ++i)
            values[i] = values[i] * values[(i * 5 + round + 1) % most_values] + 1;
#pragma unroll
    for (int i = 0; i < most_values; ++i) sum += values[i];
    y[thread] = sum;
}
// [/body]

// [kernels]
/// No bound.
/// @param x, y  as in mix
__global__ void unbounded(const float* x, float* y) { mix(x, y); }

/// Blocks of up to 256 threads.
/// @param x, y  as in mix
__global__ void __launch_bounds__(256) one_bound(const float* x, float* y) {
    mix(x, y);
}

/// The same, and at least four of them on an SM.
/// @param x, y  as in mix
__global__ void __launch_bounds__(256, 4) two_bounds(const float* x, float* y) {
    mix(x, y);
}

/// The same, in clusters of up to eight.
/// @param x, y  as in mix
__global__ void __launch_bounds__(256, 4, 8) three_bounds(const float* x, float* y) {
    mix(x, y);
}

/// At most 40 registers for each thread.
/// @param x, y  as in mix
__global__ void __maxnreg__(40) register_bound(const float* x, float* y) { mix(x, y); }
// [/kernels]

int main() {
    lockstep::require_device(90);
    struct variant {
        const char* name;
        void (*kernel)(const float*, float*);
        int most_registers;
        int most_threads;
    };
    // [limits]
    constexpr int registers_of_an_sm = 65536;
    const variant variants[] = {
        {"unbounded", unbounded, 255, 1024},
        {"one_bound", one_bound, 255, 256},
        {"two_bounds", two_bounds, registers_of_an_sm / (256 * 4), 256},
        {"three_bounds", three_bounds, registers_of_an_sm / (256 * 4), 256},
        {"register_bound", register_bound, 40, 1024},
    };
    // [/limits]
    bool right = true;
    lockstep::device_buffer<float> d_x(512 + most_values), d_y(512);
    d_x.fill_bytes(0);
    std::printf("kernel          registers  threads  with 512 threads\n");
    for (const variant& one : variants) {
        cudaFuncAttributes found{};
        lockstep::check(cudaFuncGetAttributes(&found, one.kernel));
        // [launch]
        one.kernel<<<1, 512>>>(d_x.data(), d_y.data());
        const cudaError_t error = cudaGetLastError();
        // [/launch]
        lockstep::check(cudaDeviceSynchronize());
        std::printf("%-14s  %9d  %7d  %s\n", one.name, found.numRegs,
                    found.maxThreadsPerBlock, cudaGetErrorName(error));
        right = right && found.numRegs <= one.most_registers &&
                found.maxThreadsPerBlock <= one.most_threads &&
                (error == cudaSuccess) == (found.maxThreadsPerBlock >= 512);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
