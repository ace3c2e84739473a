// Is mapped memory as good as device memory? No: each access crosses PCIe or NVLink, at
// a fraction of the rate of the GPU's own memory. Managed memory is as slow on the
// first pass, while its pages move, and as fast as device memory afterwards. One copy
// kernel, three kinds of memory.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Copies an array with a grid-stride loop.
/// @param n     number of elements
/// @param from  n elements
/// @param to    n elements
__global__ void copy(std::size_t n, const float4* from, float4* to) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        to[i] = from[i];
}
// [/kernel]

/// Rate of one copy by the kernel, in GB/s of bytes read plus bytes written.
/// @param n     number of elements
/// @param from  n elements, in any memory that the GPU can reach
/// @param to    likewise
double copy_rate(std::size_t n, const float4* from, float4* to) {
    const lockstep::owned_event begin;
    const lockstep::owned_event end;
    lockstep::check(cudaEventRecord(begin));
    constexpr int blocks = 1056;  // 8 for each SM of an H200; any number is right
    copy<<<blocks, 256>>>(n, from, to);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    lockstep::check(cudaEventSynchronize(end));
    float elapsed_ms = 0;
    lockstep::check(cudaEventElapsedTime(&elapsed_ms, begin, end));
    return 2 * n * sizeof(float4) / (elapsed_ms * 1e-3) * 1e-9;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t mib = options.integer<std::size_t>("mib", 256, 1, 1024);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr const char* names[] = {"mapped", "device", "managed"};
    const std::size_t bytes = mib << 20;
    const std::size_t n = bytes / sizeof(float4);
    float4* from[3] = {};
    float4* to[3] = {};
    for (float4** memory : {from, to}) {
        lockstep::check(cudaMallocHost(&memory[0], bytes));
        lockstep::check(cudaMalloc(&memory[1], bytes));
        lockstep::check(cudaMallocManaged(&memory[2], bytes));
    }
    copy<<<1, 1>>>(0, from[1], to[1]);  // loads the kernel
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    lockstep::csv_file series(csv, "memory,run,~gb_per_s");
    double rate[3][3];
    bool right = true;
    for (int kind = 0; kind < 3; ++kind) {
        // [measure]
        for (std::size_t i = 0; i < n && kind != 1; ++i) {
            from[kind][i] = {1.0f * (i % 4096), 0, 0, 0};
            to[kind][i] = {};
        }
        if (kind == 1)
            lockstep::check(cudaMemcpy(from[1], from[0], bytes, cudaMemcpyDefault));
        for (int pass = 0; pass < 3; ++pass)
            rate[kind][pass] = copy_rate(n, from[kind], to[kind]);
        // [/measure]
        for (int pass = 0; pass < 3; ++pass)
            series.row("%s,%d,%.4g", names[kind], pass + 1, rate[kind][pass]);
        if (kind == 1)
            lockstep::check(cudaMemcpy(to[0], to[1], bytes, cudaMemcpyDefault));
        const float4* result = kind == 1 ? to[0] : to[kind];
        for (std::size_t i = 0; i < n; i += 511)
            right = right && result[i].x == i % 4096;
    }
    series.finish();
    lockstep::report("array", mib, "MiB");
    lockstep::report("mapped", lockstep::measured{rate[0][2]}, "GB/s");
    lockstep::report("device", lockstep::measured{rate[1][2]}, "GB/s");
    lockstep::report("managed, first pass", lockstep::measured{rate[2][0]}, "GB/s");
    lockstep::report("managed, third pass", lockstep::measured{rate[2][2]}, "GB/s");
    for (float4** memory : {from, to}) {
        lockstep::check(cudaFreeHost(memory[0]));
        lockstep::check(cudaFree(memory[1]));
        lockstep::check(cudaFree(memory[2]));
    }
    const bool as_expected =
        mib < 64 || (rate[1][2] > 5 * rate[0][2] && rate[2][2] > 5 * rate[2][0]);
    return right && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
