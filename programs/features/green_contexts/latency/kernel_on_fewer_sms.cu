// What does a kernel lose if it gets fewer SMs? The speed of one that computes follows
// the number of SMs. One that waits for memory loses little at first, since fewer SMs
// can keep the memory nearly as busy. No change of the kernels is needed to find out.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernels]
/// Copies an array: limited by memory.
/// @param n  elements
/// @param x  n float4s in device memory
/// @param y  n float4s in device memory, written
__global__ void copy(int n, const float4* x, float4* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
/// A long chain of multiplications and additions for each element: limited by the
/// arithmetic.
/// @param steps  length of the chain
/// @param y      one float for each thread in device memory, written
__global__ void compute(int steps, float* y) {
    float a = 0;
    float b = 1;
    for (int step = 0; step < steps; ++step) {
        a = a * 0.5f + 1;
        b = b * 0.5f + 1;
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 23, 1 << 10, 1 << 25);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    constexpr int threads = 256;
    const int blocks = n / threads;
    const int steps = 512;
    lockstep::device_buffer<float4> x(n);
    lockstep::device_buffer<float4> y(n);
    lockstep::device_buffer<float> sums(n);
    x.fill_bytes(1);
    y.fill_bytes(0xFF);
    sums.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    struct both {
        double copy_ms, compute_ms;
    };
    // [time]
    const auto time_in = [&](cudaStream_t stream) {
        const auto times = lockstep::time_in_turns(
            2,
            [&](std::size_t which) {
                if (which == 0)
                    copy<<<blocks, threads, 0, stream>>>(n, x.data(), y.data());
                else
                    compute<<<blocks, threads, 0, stream>>>(steps, sums.data());
            },
            20, stream);
        return both{times[0].median_ms, times[1].median_ms};
    };
    // [/time]

    const CUdevResource all = lockstep::all_sms();
    const auto whole = time_in(nullptr);
    lockstep::report("copy on all SMs", lockstep::measured{whole.copy_ms}, "ms");
    lockstep::report("compute on all SMs", lockstep::measured{whole.compute_ms}, "ms");
    lockstep::csv_file curve(csv, "sms,kernel,~speed");
    for (unsigned wanted = 16; wanted <= all.sm.smCount; wanted += 16) {
        // [part]
        CUdevResource part{};
        unsigned count = 1;
        lockstep::check(
            cuDevSmResourceSplitByCount(&part, &count, &all, nullptr, 0, wanted));
        const lockstep::green_context context(&part);
        const both times = time_in(context.stream());
        // [/part]
        curve.row("%u,copy,%.3f", part.sm.smCount, whole.copy_ms / times.copy_ms);
        curve.row("%u,compute,%.3f", part.sm.smCount,
                  whole.compute_ms / times.compute_ms);
        if (wanted != 64 && wanted != 112) continue;
        const bool half = wanted == 64;
        lockstep::report(half ? "64 SMs, copy speed" : "112 SMs, copy speed",
                         lockstep::measured{100 * whole.copy_ms / times.copy_ms}, "%");
        lockstep::report(half ? "64 SMs, compute speed" : "112 SMs, compute speed",
                         lockstep::measured{100 * whole.compute_ms / times.compute_ms},
                         "%");
    }
    curve.row("%u,copy,%.3f", all.sm.smCount, 1.0);
    curve.row("%u,compute,%.3f", all.sm.smCount, 1.0);
    curve.finish();

    float a = 0;  // each of the two chains converges to 2
    for (int step = 0; step < steps; ++step) a = a * 0.5f + 1;
    const auto found = sums.to_host();
    const auto copied = y.to_host();
    const auto given = x.to_host();
    bool right = true;
    for (int i = 0; i < n; ++i)
        right = right && found[i] == 4.0f && copied[i].x == given[i].x &&
                copied[i].w == given[i].w;
    return right && a == 2.0f ? EXIT_SUCCESS : EXIT_FAILURE;
}
