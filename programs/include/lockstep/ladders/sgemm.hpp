#pragma once
/// @file
/// Verifies and times the rungs of the float matrix ladder.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/ladders/vendor_sgemm.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Fills a matrix with random numbers between -1 and 1, in two precisions.
/// @param count    number of elements
/// @param seed     of the sequence
/// @param single   count floats in device memory, written
/// @param precise  count doubles in device memory, written with the same numbers; or
///                 null
static __global__ void fill_matrix(std::size_t count, int seed, float* single,
                                   double* precise) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i >= count) return;
    single[i] = static_cast<float>(random_word(i, seed) >> 8) * 0x1p-23F - 1;
    if (precise) precise[i] = single[i];
}

/// Counts elements that are further from a reference than rounding can explain.
/// @param count      number of elements
/// @param found      count floats in device memory
/// @param expected   count doubles in device memory
/// @param tolerance  largest distance allowed
/// @param wrong      one number in device memory, increased
static __global__ void count_far(std::size_t count, const float* found,
                                 const double* expected, double tolerance,
                                 unsigned long long* wrong) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < count && !(fabs(found[i] - expected[i]) <= tolerance))
        atomicAdd(wrong, 1ull);
}

/// Which sizes a rung takes.
struct multiples {
    int m = 1;  ///< rows of a and c: multiples of this
    int n = 1;  ///< columns of b and c
    int k = 1;  ///< columns of a, rows of b
};

/// Multiplies matrices of several shapes and compares them with a product in double
/// precision, then large square ones against cuBLAS, and prints how it went.
///
/// A sum of k products of numbers below 1 may be off by k * 2^-24 times a few; a
/// missing product is off by far more.
///
/// @param argc      as main received it
/// @param argv      as main received it; `--n` sets rows and columns of the large ones,
///                  `--csv` writes the result, `--once` multiplies the large ones once
///                  and times nothing, for a profiler; `--untimed` leaves out
///                  the comparison and products larger than the large ones, for a
///                  sanitizer
/// @param rung      the rung's name
/// @param sizes     the sizes that it takes
/// @param multiply  callable (int m, int n, int k, const float* a, const float* b,
///                  float* c) that enqueues c = a * b, all row by row in device memory:
///                  m x k, k x n, and m x n
/// @return exit status: success if every element of every product was right; 2 for a
///         size that it does not take
template <class Multiply>
int benchmark_sgemm(int argc, char** argv, const char* rung, multiples sizes,
                    Multiply multiply) {
    command_line options(argc, argv);
    const int large = options.integer("n", 4096, 1, 16'384);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
    if (large % sizes.m || large % sizes.n || large % sizes.k) {
        std::fprintf(stderr, "m, n and k must be multiples of %d, %d and %d, not %d\n",
                     sizes.m, sizes.n, sizes.k, large);
        return 2;
    }
    require_device(80);

    struct shape {
        int m, n, k;
    };
    std::vector<shape> shapes{{1, 1, 1},
                              {33, 31, 100},
                              {128, 256, 64},
                              {256, 512, 1024},
                              {large, large, large}};
    if (once) shapes.erase(shapes.begin(), shapes.end() - 1);
    const vendor_sgemm vendor;
    const auto blocks = [](std::size_t count) {
        return static_cast<unsigned>((count + 255) / 256);
    };
    unsigned long long far = 0;
    for (const shape s : shapes) {
        if (s.m % sizes.m || s.n % sizes.n || s.k % sizes.k) continue;
        if (untimed && 1.0 * s.m * s.n * s.k > 1.0 * large * large * large) continue;
        const std::size_t of_a = std::size_t(s.m) * s.k;
        const std::size_t of_b = std::size_t(s.k) * s.n;
        const std::size_t of_c = std::size_t(s.m) * s.n;
        device_buffer<float> a(of_a);
        device_buffer<float> b(of_b);
        device_buffer<float> c(of_c);
        device_buffer<double> precise_a(of_a);
        device_buffer<double> precise_b(of_b);
        device_buffer<double> precise_c(of_c);
        device_buffer<unsigned long long> wrong(1);
        fill_matrix<<<blocks(of_a), 256>>>(of_a, 1, a.data(), precise_a.data());
        fill_matrix<<<blocks(of_b), 256>>>(of_b, 2, b.data(), precise_b.data());
        check(cudaGetLastError());
        c.fill_bytes(0xFF);
        wrong.fill_bytes(0);
        multiply(s.m, s.n, s.k, a.data(), b.data(), c.data());
        check(cudaGetLastError());
        vendor(s.m, s.n, s.k, precise_a.data(), precise_b.data(), precise_c.data());
        const double tolerance = (s.k + 16) * 0x1p-22;
        count_far<<<blocks(of_c), 256>>>(of_c, c.data(), precise_c.data(), tolerance,
                                         wrong.data());
        check(cudaGetLastError());
        far += wrong.to_host()[0];
    }
    report("rows and columns", large);
    report("wrong elements", far);
    if (far != 0) return EXIT_FAILURE;
    if (once || untimed) return EXIT_SUCCESS;

    const std::size_t count = std::size_t(large) * large;
    device_buffer<float> a(count);
    device_buffer<float> b(count);
    device_buffer<float> c(count);
    fill_matrix<<<blocks(count), 256>>>(count, 1, a.data(), nullptr);
    fill_matrix<<<blocks(count), 256>>>(count, 2, b.data(), nullptr);
    check(cudaGetLastError());
    comparison rates("TFLOP/s", 1e12);
    const double operations = 2.0 * count * large;
    rates.add(rung, operations,
              [&] { multiply(large, large, large, a.data(), b.data(), c.data()); });
    rates.add("cublasSgemm", operations,
              [&] { vendor(large, large, large, a.data(), b.data(), c.data()); });
    rates.run();
    rates.print();
    rates.write(csv, "rung,~us,~low_us,~high_us,~tflop_per_s,~percent_of_cublas");
    return EXIT_SUCCESS;
}

}  // namespace lockstep
