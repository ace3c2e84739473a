// What do this site's helpers replace? This is the complete program in plain CUDA,
// vector_add_plain, written with them: the same calls in the same order, with less code
// around them.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// c = a + b, one thread for each element.
/// @param n  number of elements
/// @param a  n floats in device memory
/// @param b  n floats in device memory
/// @param c  n floats in device memory, written
__global__ void vector_add(int n, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    // [arguments]
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1000, 1, 1 << 24);
    options.finish();
    // [/arguments]
    // [device]
    lockstep::require_device();
    // [/device]

    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(2 * (i % 1000));
        sum[i] = a[i] + b[i];
    }

    // [buffers]
    const lockstep::device_buffer<float> d_a(a), d_b(b);
    lockstep::device_buffer<float> d_c(n);
    d_c.fill_bytes(0xFF);  // NaN, until a thread writes
    // [/buffers]

    const int block_size = 256;
    const int grid_size = (n + block_size - 1) / block_size;
    // [launch]
    vector_add<<<grid_size, block_size>>>(n, d_a.data(), d_b.data(), d_c.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> c = d_c.to_host();
    // [/launch]

    // [time]
    const auto time = lockstep::time_on_device([&] {
        vector_add<<<grid_size, block_size>>>(n, d_a.data(), d_b.data(), d_c.data());
    });
    // [/time]

    // [report]
    const auto wrong = lockstep::count_mismatches(c, sum);
    lockstep::report("elements", n);
    lockstep::report("time of a launch", lockstep::measured{time.median_ms * 1e3},
                     "us");
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    // [/report]
}
