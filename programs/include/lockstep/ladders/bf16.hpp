#pragma once
/// @file
/// Verifies and times the rungs of the bfloat16 matrix ladder.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/ladders/vendor_bf16_gemm.hpp>
#include <lockstep/ladders/vendor_sgemm.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Fills a matrix with random numbers between -1 and 1, rounded to bfloat16, in two
/// precisions.
/// @param count    number of elements
/// @param seed     of the sequence
/// @param narrow   count numbers in device memory, written
/// @param precise  count doubles in device memory, written with the same numbers; or
///                 null
static __global__ void fill_bf16(std::size_t count, int seed, __nv_bfloat16* narrow,
                                 double* precise) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i >= count) return;
    narrow[i] =
        __float2bfloat16(static_cast<float>(random_word(i, seed) >> 8) * 0x1p-23F - 1);
    if (precise) precise[i] = static_cast<double>(__bfloat162float(narrow[i]));
}

/// Counts elements that are further from a reference than rounding can explain.
/// @param count      number of elements
/// @param found      count numbers in device memory
/// @param expected   count doubles in device memory
/// @param tolerance  distance allowed beside half a unit in the last place of the
///                   result
/// @param wrong      one number in device memory, increased
static __global__ void count_far_bf16(std::size_t count, const __nv_bfloat16* found,
                                      const double* expected, double tolerance,
                                      unsigned long long* wrong) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i >= count) return;
    const double distance =
        fabs(static_cast<double>(__bfloat162float(found[i])) - expected[i]);
    if (!(distance <= tolerance + fabs(expected[i]) * 0x1p-8)) atomicAdd(wrong, 1ull);
}

/// Multiplies bfloat16 matrices of several shapes and compares them with a product in
/// double precision, then large square ones against cublasLt, and prints how it went.
/// The sums are floats, the result is rounded to bfloat16.
///
/// @param argc            as main received it
/// @param argv            as main received it; `--n` sets rows and columns of the large
///                        ones, `--csv` writes the result, `--once` multiplies the
///                        large ones once and times nothing, for a profiler;
///                        `--untimed` compares the products and leaves out the
///                        comparison, for a sanitizer
/// @param rung            the rung's name
/// @param min_capability  lowest compute capability that can run it, as major * 10 +
///                        minor
/// @param mn              rows and columns of c must be multiples of this
/// @param mk              the inner extent must be a multiple of this
/// @param multiply        callable (int m, int n, int k, const __nv_bfloat16* a, const
///                        __nv_bfloat16* b, __nv_bfloat16* c) that enqueues c = a *
///                        b^T, all row by row in device memory: m x k, n x k, and m x n
/// @return exit status: success if every element of every product was right; 2 for a
///         size that it does not take
template <class Multiply>
int benchmark_bf16(int argc, char** argv, const char* rung, int min_capability, int mn,
                   int mk, Multiply multiply) {
    command_line options(argc, argv);
    const int large = options.integer("n", 8192, 8, 16'384);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
    if (large % mn || large % mk) {
        std::fprintf(stderr, "m, n and k must be multiples of %d, %d and %d, not %d\n",
                     mn, mn, mk, large);
        return 2;
    }
    require_device(min_capability);

    struct shape {
        int m, n, k;
    };
    std::vector<shape> shapes{{8, 8, 8},
                              {1000, 504, 296},
                              {128, 256, 64},
                              {512, 768, 1024},
                              {large, large, large}};
    if (once) shapes.erase(shapes.begin(), shapes.end() - 1);
    const vendor_sgemm vendor_in_double;
    const auto blocks = [](std::size_t count) {
        return static_cast<unsigned>((count + 255) / 256);
    };
    unsigned long long far = 0;
    for (const shape s : shapes) {
        if (s.m % mn || s.n % mn || s.k % mk) continue;
        const std::size_t of_a = std::size_t(s.m) * s.k;
        const std::size_t of_b = std::size_t(s.n) * s.k;
        const std::size_t of_c = std::size_t(s.m) * s.n;
        device_buffer<__nv_bfloat16> a(of_a);
        device_buffer<__nv_bfloat16> b(of_b);
        device_buffer<__nv_bfloat16> c(of_c);
        device_buffer<double> precise_a(of_a);
        device_buffer<double> precise_b(of_b);
        device_buffer<double> precise_c(of_c);
        device_buffer<unsigned long long> wrong(1);
        fill_bf16<<<blocks(of_a), 256>>>(of_a, 1, a.data(), precise_a.data());
        fill_bf16<<<blocks(of_b), 256>>>(of_b, 2, b.data(), precise_b.data());
        check(cudaGetLastError());
        c.fill_bytes(0xFF);
        wrong.fill_bytes(0);
        multiply(s.m, s.n, s.k, a.data(), b.data(), c.data());
        check(cudaGetLastError());
        vendor_in_double.by_rows_of_both(s.m, s.n, s.k, precise_a.data(),
                                         precise_b.data(), precise_c.data());
        count_far_bf16<<<blocks(of_c), 256>>>(of_c, c.data(), precise_c.data(),
                                              (s.k + 16) * 0x1p-20, wrong.data());
        check(cudaGetLastError());
        far += wrong.to_host()[0];
    }
    report("rows and columns", large);
    report("wrong elements", far);
    if (far != 0) return EXIT_FAILURE;
    if (once || untimed) return EXIT_SUCCESS;

    const std::size_t count = std::size_t(large) * large;
    device_buffer<__nv_bfloat16> a(count);
    device_buffer<__nv_bfloat16> b(count);
    device_buffer<__nv_bfloat16> c(count);
    fill_bf16<<<blocks(count), 256>>>(count, 1, a.data(), nullptr);
    fill_bf16<<<blocks(count), 256>>>(count, 2, b.data(), nullptr);
    check(cudaGetLastError());
    vendor_bf16_gemm vendor(large, large, large, a.data(), b.data(), c.data());
    comparison rates("TFLOP/s", 1e12);
    const double operations = 2.0 * count * large;
    rates.add(rung, operations,
              [&] { multiply(large, large, large, a.data(), b.data(), c.data()); });
    rates.add("cublasLt", operations, [&] { vendor(); });
    rates.run(large > 8192 ? 20 : 50);
    rates.print();
    rates.write(csv, "rung,~us,~low_us,~high_us,~tflop_per_s,~percent_of_cublas");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
