// What does it cost that managed pages move to their user? The first kernel that
// reads data the CPU wrote waits for every page to migrate; later kernels run at
// the speed of device memory. A prefetch moves the same pages in bulk, before the
// kernel asks for them. Pages that the GPU was the first to touch are there from the
// start.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>

// 8 for each SM of an H200; the loops of the kernels are right with any number
constexpr int blocks = 1056;

/// Writes i % 1024 into element i.
/// @param n     number of elements
/// @param data  n values
__global__ void fill(std::size_t n, float* data) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        data[i] = static_cast<float>(i % 1024);
}

// [kernel]
/// Adds one to every element.
/// @param n     number of elements
/// @param data  n values, changed in place
__global__ void increment(std::size_t n, float* data) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        data[i] += 1;
}
// [/kernel]

/// Time of one kernel pass over the array, in milliseconds.
/// @param n     number of elements
/// @param data  n values in managed memory
float pass_ms(std::size_t n, float* data) {
    const lockstep::owned_event begin;
    const lockstep::owned_event end;
    lockstep::check(cudaEventRecord(begin));
    increment<<<blocks, 256>>>(n, data);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(end));
    lockstep::check(cudaEventSynchronize(end));
    float elapsed_ms = 0;
    lockstep::check(cudaEventElapsedTime(&elapsed_ms, begin, end));
    return elapsed_ms;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t mib = options.integer<std::size_t>("mib", 256, 1, 1024);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const std::size_t n = (mib << 20) / sizeof(float);
    increment<<<1, 1>>>(0, nullptr);  // loads the kernels, touches nothing
    fill<<<1, 1>>>(0, nullptr);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    constexpr int passes = 5;
    constexpr const char* starts[] = {"CPU wrote", "CPU wrote then prefetched",
                                      "GPU wrote"};
    double rate[3][passes];  // GB/s, read plus write
    lockstep::csv_file series(csv, "start,run,~gb_per_s");
    bool right = true;
    for (int start = 0; start < 3; ++start) {
        // [pass]
        float* data = nullptr;
        lockstep::check(cudaMallocManaged(&data, n * sizeof(float)));
        if (start == 2) {  // first touch on the GPU
            fill<<<blocks, 256>>>(n, data);
            lockstep::check(cudaGetLastError());
        } else {  // first touch on the CPU
            for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<float>(i % 1024);
        }
        if (start == 1) {
            const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
            lockstep::check(
                cudaMemPrefetchAsync(data, n * sizeof(float), device, 0, nullptr));
        }
        lockstep::check(cudaDeviceSynchronize());
        for (int pass = 0; pass < passes; ++pass)
            rate[start][pass] =
                2 * n * sizeof(float) / (pass_ms(n, data) * 1e-3) * 1e-9;
        // [/pass]
        for (int pass = 0; pass < passes; ++pass)
            series.row("%s,%d,%.4g", starts[start], pass + 1, rate[start][pass]);
        for (std::size_t i = 0; i < n; ++i)
            right = right && data[i] == static_cast<float>(i % 1024 + passes);
        lockstep::check(cudaFree(data));
    }
    series.finish();
    lockstep::report("array", mib, "MiB");
    lockstep::report("CPU wrote, first pass", lockstep::measured{rate[0][0]}, "GB/s");
    lockstep::report("CPU wrote, second pass", lockstep::measured{rate[0][1]}, "GB/s");
    lockstep::report("prefetched, first pass", lockstep::measured{rate[1][0]}, "GB/s");
    lockstep::report("GPU wrote, first pass", lockstep::measured{rate[2][0]}, "GB/s");
    const bool as_expected =
        mib < 64 || (rate[0][1] > 10 * rate[0][0] && rate[1][0] > 10 * rate[0][0] &&
                     rate[2][0] > 10 * rate[0][0]);
    return right && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
