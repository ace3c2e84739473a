// Does a library's function behave as a guest in its caller's program? Four tests play
// a caller. A function that returns errors, works in the caller's stream and does not
// wait passes all; one that is written as a complete program would be fails all.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

#include "scale.h"

constexpr int n = 100'000;
constexpr unsigned long long late_ns = 100'000'000;

/// Multiplies floats in place.
/// @param x       n floats in device memory
/// @param n       number of elements
/// @param factor  what each element is multiplied by
__global__ void scale_one_each(float* x, std::size_t n, float factor) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}

// [careless]
/// What a complete program would do: the default stream, a wait, no status.
int scale_carelessly(float* x, std::size_t n, float factor, cudaStream_t) {
    const auto blocks = static_cast<unsigned>((n + 255) / 256);
    scale_one_each<<<blocks, 256>>>(x, n, factor);
    cudaDeviceSynchronize();
    return 0;
}
// [/careless]

/// Writes whole numbers, but only after a while.
/// @param ns  how long each block waits first, in nanoseconds
/// @param x   n floats in device memory, written
__global__ void fill_late(unsigned long long ns, float* x) {
    lockstep::busy_wait(ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = static_cast<float>(i % 1000);
}

/// A function with the parameters of scale().
using scaling = int (*)(float*, std::size_t, float, cudaStream_t);

/// Whether all elements are what fill_late() wrote, times a factor.
bool is_scaled(const lockstep::device_buffer<float>& d_x, float factor) {
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = factor * static_cast<float>(i % 1000);
    return lockstep::count_mismatches(d_x.to_host(), expected) == 0;
}

// [in-stream]
/// The function's input is written by earlier, slow work of a non-blocking stream.
bool works_in_the_stream(scaling function) {
    const lockstep::owned_stream stream;
    lockstep::device_buffer<float> d_x(n);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    fill_late<<<(n + 255) / 256, 256, 0, stream>>>(late_ns, d_x.data());
    const int status = function(d_x.data(), n, 3, stream);
    lockstep::check(cudaStreamSynchronize(stream));
    return status == 0 && is_scaled(d_x, 3);
}
// [/in-stream]

/// While the stream is busy, the function returns.
bool does_not_wait(scaling function) {
    const lockstep::owned_stream stream;
    lockstep::device_buffer<float> d_x(n);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    fill_late<<<(n + 255) / 256, 256, 0, stream>>>(late_ns, d_x.data());
    function(d_x.data(), n, 3, stream);
    const cudaError_t state = cudaStreamQuery(stream);
    static_cast<void>(cudaGetLastError());  // "not ready" is stored as well
    lockstep::check(cudaStreamSynchronize(stream));
    return state == cudaErrorNotReady;
}

// [capture]
/// The function's work becomes part of a graph, which is launched twice.
bool can_be_captured(scaling function) {
    const lockstep::owned_stream stream;
    lockstep::device_buffer<float> d_x(n);
    fill_late<<<(n + 255) / 256, 256, 0, stream>>>(0, d_x.data());
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    function(d_x.data(), n, 3, stream);
    cudaGraph_t captured = nullptr;
    if (cudaStreamEndCapture(stream, &captured) != cudaSuccess) return false;
    lockstep::owned_graph graph(captured);
    const cudaGraphExec_t executable = graph.instantiate();
    for (int launch = 0; launch < 2; ++launch)
        lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    return is_scaled(d_x, 9);
}
// [/capture]

// [no-error]
/// A call for no elements, a launch of no blocks, stores no error.
bool leaves_no_error(scaling function) {
    const lockstep::owned_stream stream;
    lockstep::device_buffer<float> d_x(n);
    d_x.fill_bytes(0);
    function(d_x.data(), 0, 3, stream);
    return cudaGetLastError() == cudaSuccess;
}
// [/no-error]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<float> d_first(1);
    d_first.fill_bytes(0);
    for (const scaling function : {scale, scale_carelessly})
        function(d_first.data(), 1, 1, nullptr);  // loads the kernels

    std::printf("%-32s%10s%12s\n", "a test that plays a caller", "scale", "careless");
    bool as_expected = true;
    const auto run = [&](const char* name, bool (*test)(scaling)) {
        const bool good = test(scale);
        const bool careless = test(scale_carelessly);
        static_cast<void>(cudaGetLastError());  // of the careless one
        std::printf("%-32s%10s%12s\n", name, good ? "pass" : "fail",
                    careless ? "pass" : "fail");
        as_expected = as_expected && good && !careless;
    };
    run("waits for the stream's work", works_in_the_stream);
    run("returns before the work is done", does_not_wait);
    run("can be captured into a graph", can_be_captured);
    run("stores no error", leaves_no_error);
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
