// How much faster can a GPU move data than a CPU? The triad a = b + s * c does almost
// no arithmetic: its speed is that of the memory. All CPU threads run it on arrays in
// host memory, all GPU threads on arrays in device memory, and both results are
// compared.

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [gpu]
/// a = b + s * c.
/// @param n  number of elements
/// @param s  factor
/// @param b  n floats in device memory
/// @param c  n floats in device memory
/// @param a  n floats in device memory, written
__global__ void triad(int n, float s, const float* b, const float* c, float* a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + s * c[i];
}
// [/gpu]

// [cpu]
/// The same on the CPU, each thread on a slice of its own.
/// @param threads  number of CPU threads
/// @param s        factor
/// @param b        floats in host memory, read
/// @param c        as many floats as in b, read
/// @param a        as many floats as in b, written
void triad_on_cpu(unsigned threads, float s, const std::vector<float>& b,
                  const std::vector<float>& c, std::vector<float>& a) {
    const std::size_t slice = (a.size() + threads - 1) / threads;
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back(
            [&, first = t * slice, last = std::min(a.size(), (t + 1) * slice)] {
                for (std::size_t i = first; i < last; ++i) a[i] = b[i] + s * c[i];
            });
    for (std::thread& worker : workers) worker.join();
}
// [/cpu]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 256, 1, 4096);
    options.finish();
    lockstep::require_device();

    const int n = static_cast<int>((std::size_t(mib) << 20) / sizeof(float));
    std::vector<float> a(n);
    std::vector<float> b(n);
    std::vector<float> c(n);
    for (int i = 0; i < n; ++i) {
        b[i] = i % 512;
        c[i] = i % 256;
    }
    const lockstep::device_buffer<float> d_b(b);
    const lockstep::device_buffer<float> d_c(c);
    lockstep::device_buffer<float> d_a(n);
    d_a.fill_bytes(0xFF);

    // [race]
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    const auto cpu =
        lockstep::time_on_host([&] { triad_on_cpu(threads, 3, b, c, a); }, 5);
    const auto gpu = lockstep::time_on_device([&] {
        triad<<<(n + 255) / 256, 256>>>(n, 3, d_b.data(), d_c.data(), d_a.data());
    });
    // [/race]
    const double bytes = 3.0 * n * sizeof(float);  // two arrays read, one written
    lockstep::report("array", mib, "MiB");
    lockstep::report("all CPU threads",
                     lockstep::measured{cpu.per_second(bytes) * 1e-9}, "GB/s");
    lockstep::report("all GPU threads",
                     lockstep::measured{gpu.per_second(bytes) * 1e-9}, "GB/s");
    const std::size_t mismatches = lockstep::count_mismatches(d_a.to_host(), a);
    lockstep::report("mismatches", mismatches);
    const bool faster = mib < 64 || gpu.median_ms < cpu.median_ms;
    lockstep::report("GPU moves more", faster);
    return mismatches == 0 && faster ? EXIT_SUCCESS : EXIT_FAILURE;
}
