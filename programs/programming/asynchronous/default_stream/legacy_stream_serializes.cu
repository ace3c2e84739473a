// Three kernels in three streams: do they run at the same time? Not if the one in the
// middle goes to the legacy default stream: it waits for all blocking streams, and they
// wait for it. Streams made with cudaStreamNonBlocking do not take part, and neither
// does a default stream of one thread's own.

#include <algorithm>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// When a kernel ran, in nanoseconds of the GPU's clock.
struct span {
    unsigned long long begin;
    unsigned long long end;
};

/// Works for about two milliseconds, and notes when.
/// @param when  in pinned host memory
__device__ void work(span* when) {
    when->begin = lockstep::now_ns();
    const long long start = clock64();
    while (clock64() - start < 4'000'000) {
    }
    when->end = lockstep::now_ns();
}

/// @param when  one span in pinned host memory
__global__ void in_s1(span* when) { work(when); }
/// @param when  one span in pinned host memory
__global__ void in_default(span* when) { work(when); }
/// @param when  one span in pinned host memory
__global__ void in_s2(span* when) { work(when); }
// [/kernels]

/// Whether two kernels ran at the same time, at least for a moment.
/// @param a  when the one ran
/// @param b  when the other ran
bool overlap(const span& a, const span& b) {
    return std::max(a.begin, b.begin) < std::min(a.end, b.end);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool non_blocking =
        options.choice("streams", {"blocking", "non-blocking"}) == 1;
    const int between = options.choice("between", {"kernel", "memset", "nothing"});
    const int handle = options.choice("default", {"0", "legacy", "per-thread"});
    options.finish();
    lockstep::require_device();

    // [build]
// nvcc --default-stream per-thread defines it
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
    const bool legacy_build = false;
#else
    const bool legacy_build = true;
#endif
    // [/build]
    const cudaStream_t middle = handle == 1   ? cudaStreamLegacy
                                : handle == 2 ? cudaStreamPerThread
                                              : nullptr;
    const bool legacy = handle == 1 || (handle == 0 && legacy_build);

    span* spans = nullptr;
    int* d_x = nullptr;
    lockstep::check(cudaMallocHost(&spans, 3 * sizeof(span)));
    lockstep::check(cudaMalloc(&d_x, sizeof(int)));
    for (int i = 0; i < 3; ++i) spans[i] = {0, 0};
    lockstep::load_kernels(in_s1, in_default, in_s2);

    cudaStream_t s1 = nullptr;
    cudaStream_t s2 = nullptr;
    if (!non_blocking && between == 0 && handle == 0) {
        // [streams]
        lockstep::check(cudaStreamCreate(&s1));
        lockstep::check(cudaStreamCreate(&s2));

        in_s1<<<1, 1, 0, s1>>>(&spans[0]);
        in_default<<<1, 1>>>(&spans[1]);  // the default stream
        in_s2<<<1, 1, 0, s2>>>(&spans[2]);
        // [/streams]
    } else {
        const unsigned flags = non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
        lockstep::check(cudaStreamCreateWithFlags(&s1, flags));
        lockstep::check(cudaStreamCreateWithFlags(&s2, flags));

        in_s1<<<1, 1, 0, s1>>>(&spans[0]);
        if (between == 0) in_default<<<1, 1, 0, middle>>>(&spans[1]);
        if (between == 1) lockstep::check(cudaMemsetAsync(d_x, 0, sizeof(int), middle));
        in_s2<<<1, 1, 0, s2>>>(&spans[2]);
    }
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    const bool expected = non_blocking || between == 2 || !legacy;
    bool right = true;
    const auto row = [&](const char* label, const span& a, const span& b) {
        lockstep::report(label, overlap(a, b));
        right =
            right && overlap(a, b) == expected && a.end > a.begin && b.end > b.begin;
    };
    lockstep::report("default stream", legacy ? "legacy" : "per thread");
    lockstep::report("s1 and s2", non_blocking ? "non-blocking" : "blocking");
    if (between == 0) row("s1 overlaps default", spans[0], spans[1]);
    if (between == 0) row("default overlaps s2", spans[1], spans[2]);
    row("s1 overlaps s2", spans[0], spans[2]);
    lockstep::check(cudaStreamDestroy(s1));
    lockstep::check(cudaStreamDestroy(s2));
    lockstep::check(cudaFreeHost(spans));
    lockstep::check(cudaFree(d_x));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
