// Should you write your own matrix product? Only to learn. One call of cuBLAS, which is
// tuned for each architecture, runs far faster than the kernel that most people write
// first.

#include <cstdlib>
#include <vector>

#include <cublas_v2.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// c = a * b for square matrices in column-major order; one thread computes one
/// element.
/// @param n  rows and columns
/// @param a  n * n floats in device memory
/// @param b  n * n floats in device memory
/// @param c  n * n floats in device memory, written
__global__ void multiply(int n, const float* a, const float* b, float* c) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row + k * n] * b[k + column * n];
    c[row + column * n] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2048, 1, 8192);
    options.finish();
    lockstep::require_device();

    std::vector<float> a(std::size_t(n) * n);
    std::vector<float> b(a.size());
    // small whole numbers: sums are exact
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = i % 3;
        b[i] = i % 5;
    }
    lockstep::device_buffer<float> d_a(a);
    lockstep::device_buffer<float> d_b(b);
    lockstep::device_buffer<float> d_ours(a.size());
    lockstep::device_buffer<float> d_theirs(a.size());
    d_ours.fill_bytes(0xFF);
    d_theirs.fill_bytes(0xFF);

    const dim3 block(32, 8);
    const dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
    const auto ours = lockstep::time_on_device(
        [&] { multiply<<<grid, block>>>(n, d_a.data(), d_b.data(), d_ours.data()); });

    // [library]
    cublasHandle_t cublas = nullptr;
    lockstep::check(cublasCreate(&cublas));
    const float one = 1;
    const float zero = 0;
    const auto theirs = lockstep::time_on_device([&] {
        lockstep::check(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
                                    d_a.data(), n, d_b.data(), n, &zero,
                                    d_theirs.data(), n));
    });
    lockstep::check(cublasDestroy(cublas));
    // [/library]

    const double operations = 2.0 * n * n * n;
    const double ratio = ours.median_ms / theirs.median_ms;
    lockstep::report("rows and columns", n);
    lockstep::report("first kernel",
                     lockstep::measured{ours.per_second(operations) * 1e-12},
                     "TFLOP/s");
    lockstep::report(
        "cuBLAS", lockstep::measured{theirs.per_second(operations) * 1e-12}, "TFLOP/s");
    lockstep::report("cuBLAS is faster by", lockstep::measured{ratio}, "times");
    const auto wrong = lockstep::count_mismatches(d_ours.to_host(), d_theirs.to_host());
    lockstep::report("elements that differ", wrong);
    const bool faster = n < 1024 || ratio > 1;
    return wrong == 0 && faster ? EXIT_SUCCESS : EXIT_FAILURE;
}
