// How fast is this kernel? Five ways to ask give five answers, because the first launch
// loads the kernel, and events around the launch measure that as well.

#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// One of many kernels that do the same: y = 2 x.
/// @param n  elements
/// @param x  n floats in device memory
/// @param y  n floats in device memory, written
template <int number>
__global__ void twice(int n, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i] + number % 1;
}

using kernel_pointer = void (*)(int, const float*, float*);
constexpr int each = 20;  // kernels for each measurement

/// The kernels of one measurement.
template <int measurement, int... numbers>
std::vector<kernel_pointer> kernels_of(std::integer_sequence<int, numbers...>) {
    return {twice<measurement * each + numbers>...};
}

int main() {
    lockstep::require_device();

    constexpr int n = 1 << 20;
    lockstep::device_buffer<float> x(std::vector<float>(n, 1));
    lockstep::device_buffer<float> y(n);
    y.fill_bytes(0xFF);
    const lockstep::owned_event begin;
    const lockstep::owned_event end;
    // [time]
    const auto us_of = [&](kernel_pointer kernel) {
        lockstep::check(cudaEventRecord(begin));
        kernel<<<(n + 255) / 256, 256>>>(n, x.data(), y.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(end));
        lockstep::check(cudaEventSynchronize(end));
        float ms = 0;
        lockstep::check(cudaEventElapsedTime(&ms, begin, end));
        return 1e3 * ms;
    };
    // [/time]
    const auto ten_of = [&](kernel_pointer kernel) {
        std::vector<double> us;
        for (int i = 0; i < 10; ++i) us.push_back(us_of(kernel));
        return us;
    };
    const auto report = [](const char* label, const std::vector<kernel_pointer>& all,
                           auto ask) {
        std::vector<double> answers;
        for (const kernel_pointer one : all) answers.push_back(ask(one));
        lockstep::report(
            label, lockstep::measured{lockstep::summarize(answers).median_ms}, "us");
    };
    constexpr auto numbers = std::make_integer_sequence<int, each>();
    us_of(twice<-1>);  // initializes the runtime, and loads the module
    // [ways]
    report("one launch", kernels_of<0>(numbers), us_of);
    report("mean of ten", kernels_of<1>(numbers), [&](kernel_pointer one) {
        const std::vector<double> us = ten_of(one);
        return std::accumulate(us.begin(), us.end(), 0.0) / us.size();
    });
    report("median of ten", kernels_of<2>(numbers), [&](kernel_pointer one) {
        return lockstep::summarize(ten_of(one)).median_ms;
    });
    report("one launch, preloaded", kernels_of<3>(numbers), [&](kernel_pointer one) {
        cudaFuncAttributes attributes{};
        lockstep::check(cudaFuncGetAttributes(&attributes, one));
        return us_of(one);
    });
    report("one launch, warmed up", kernels_of<4>(numbers), [&](kernel_pointer one) {
        us_of(one);
        return us_of(one);
    });
    // [/ways]
    bool right = true;
    for (const float value : y.to_host()) right = right && value == 2;
    lockstep::report("results right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
