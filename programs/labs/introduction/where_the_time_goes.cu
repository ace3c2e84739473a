// Two arrays of four million numbers are added on the GPU: two copies in, one kernel,
// one copy out. Where does the time go? Nearly all of it goes into the copies. The
// kernel reads and writes as many bytes, but device memory is more than a hundred times
// as fast as a copy from pageable memory.

#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// c = a + b
/// @param n  number of elements
/// @param a  n ints in device memory
/// @param b  n ints in device memory
/// @param c  n ints in device memory, written
__global__ void add(int n, const int* a, const int* b, int* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2048 * 2048, 1, 1 << 28);
    const bool pinned = options.flag("pinned");
    options.finish();
    lockstep::require_device();

    std::vector<int> a(n);
    std::vector<int> b(n);
    std::vector<int> c(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = i % 1000;
        expected[i] = a[i] + b[i];
    }
    const std::size_t bytes = n * sizeof(int);
    const auto pin = [&] {
        for (std::vector<int>* host : {&a, &b, &c})
            lockstep::check(
                cudaHostRegister(host->data(), bytes, cudaHostRegisterDefault));
    };
    const auto unpin = [&] {
        for (std::vector<int>* host : {&a, &b, &c})
            lockstep::check(cudaHostUnregister(host->data()));
    };
    double pin_ms = 0;
    if (pinned) {
        pin_ms = lockstep::time_on_host([&] {
                     pin();
                     unpin();
                 }).median_ms;
        pin();
    }
    lockstep::device_buffer<int> d_a(n);
    lockstep::device_buffer<int> d_b(n);
    lockstep::device_buffer<int> d_c(n);
    d_c.fill_bytes(0xFF);
    // [steps]
    const auto in = [&] {
        lockstep::check(
            cudaMemcpy(d_a.data(), a.data(), bytes, cudaMemcpyHostToDevice));
        lockstep::check(
            cudaMemcpy(d_b.data(), b.data(), bytes, cudaMemcpyHostToDevice));
    };
    const auto kernel = [&] {
        add<<<(n + 511) / 512, 512>>>(n, d_a.data(), d_b.data(), d_c.data());
    };
    const auto out = [&] {
        lockstep::check(
            cudaMemcpy(c.data(), d_c.data(), bytes, cudaMemcpyDeviceToHost));
    };
    // [/steps]
    const auto on_cpu = [&] {
        for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
    };
    const double cpu_ms = lockstep::time_on_host(on_cpu).median_ms;
    const bool cpu_right = lockstep::count_mismatches(c, expected) == 0;
    c.assign(n, -1);  // so that the GPU's result cannot be the CPU's
    const double in_ms = lockstep::time_on_device(in).median_ms;
    const double kernel_ms = lockstep::time_back_to_back(kernel).median_ms;
    const double out_ms = lockstep::time_on_device(out).median_ms;
    if (pinned) unpin();
    const double all_ms = in_ms + kernel_ms + out_ms;
    const bool in_us = all_ms < 0.1;
    const auto report_time = [&](const char* label, double ms) {
        lockstep::report(label, lockstep::measured{in_us ? 1e3 * ms : ms},
                         in_us ? "us" : "ms");
    };
    lockstep::report("elements", n);
    if (pinned) report_time("pin and unpin three arrays", pin_ms);
    report_time("copy in", in_ms);
    report_time("copy in, one array", in_ms / 2);
    report_time("kernel", kernel_ms);
    report_time("copy out", out_ms);
    report_time("copies and kernel", all_ms);
    report_time("one thread of the CPU", cpu_ms);
    lockstep::report("share of the copies",
                     lockstep::measured{100 * (all_ms - kernel_ms) / all_ms}, "%");
    lockstep::report("rate of the copy in",
                     lockstep::measured{2 * bytes / in_ms * 1e-6}, "GB/s");
    lockstep::report("rate of the kernel",
                     lockstep::measured{3 * bytes / kernel_ms * 1e-6}, "GB/s");
    return cpu_right && lockstep::count_mismatches(c, expected) == 0 ? EXIT_SUCCESS
                                                                     : EXIT_FAILURE;
}
