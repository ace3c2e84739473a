// How wrong are the Bessel functions far from 0? They oscillate there, so an error in
// ulp says little near their zeros, and the bounds from |x| = 8 on are absolute. The
// float functions are called with all floats and compared with double, the double ones
// with random doubles and compared with long double on the host.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

/// A function and its reference in long double.
struct row {
    const char* name;
    long double (*reference)(long double);
};

constexpr row rows[] = {{"j0", j0l}, {"j1", j1l}, {"y0", y0l}, {"y1", y1l}};

/// Calls a function of the table: for a float the float function, for a double the
/// double one.
/// @param function  its place in the table
/// @param x         the argument
template <class T>
__device__ T call(int function, T x) {
    switch (function) {
        case 0: return j0(x);
        case 1: return j1(x);
        case 2: return y0(x);
        default: return y1(x);
    }
}

// [float]
/// Finds the largest absolute error of a float function from 8 on.
/// @param function  its place in the table
/// @param stride    distance of the arguments' bit patterns
/// @param largest   the bits of the error, in device memory
__global__ void sweep(int function, unsigned stride, unsigned* largest) {
    const unsigned step = gridDim.x * blockDim.x;
    const unsigned count = (0x7f800000 - 0x41000000) / stride;  // from 8 to infinity
    float mine = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        const float x = __uint_as_float(0x41000000 + i * stride);
        const double error = fabs(call(function, x) - call(function, double(x)));
        mine = isnan(error) ? INFINITY : fmaxf(mine, float(error));
    }
    atomicMax(largest, __float_as_uint(mine));  // ordered like floats: not negative
}
// [/float]

/// A random double from 8 on: half of them up to 2^16, the others of any size.
/// @param i  its number
__host__ __device__ double argument(unsigned i) {
    const std::uint64_t high = lockstep::random_word(i, 0);
    const std::uint64_t exponent = 3 + high % (i % 2 ? 13 : 1020);
    const std::uint64_t bits =
        (1023 + exponent) << 52 | (high >> 12) << 32 | lockstep::random_word(i, 1);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// Calls a double function n times.
/// @param function  its place in the table
/// @param n         number of calls
/// @param results   n results in device memory, written
__global__ void call_all(int function, unsigned n, double* results) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) results[i] = call(function, argument(i));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto n = options.integer<unsigned>("n", 1 << 18, 1, 1 << 28);
    const auto stride = options.integer<unsigned>("stride", 1, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<unsigned> d_largest(1);
    lockstep::device_buffer<double> d_results(n);
    bool called = true;
    std::printf("absolute error from |x| = 8 on\n%-10s%-12s%-12s%-12s%s\n", "function",
                "float", "bound", "double", "bound");
    for (int function = 0; function < 4; ++function) {
        d_largest.fill_bytes(0);
        sweep<<<2048, 256>>>(function, stride, d_largest.data());
        lockstep::check(cudaGetLastError());
        const unsigned bits = d_largest.to_host()[0];
        float single;
        std::memcpy(&single, &bits, sizeof single);

        d_results.fill_bytes(0xff);
        call_all<<<(n + 255) / 256, 256>>>(function, n, d_results.data());
        lockstep::check(cudaGetLastError());
        const std::vector<double> results = d_results.to_host();
        long double largest = 0;
        for (unsigned i = 0; i < n; ++i) {
            const long double exact = rows[function].reference(argument(i));
            const long double error = std::fabs(results[i] - exact);
            if (!(error <= largest)) largest = error;  // NaN too, and it stays
        }
        std::printf("%-10s%-12.1e%-12s%-12.1Le%s\n", rows[function].name, single,
                    "2.2e-06", largest, "5.0e-12");
        called = called && single > 0 && std::isfinite(single) && largest > 0;
    }
    return called ? EXIT_SUCCESS : EXIT_FAILURE;
}
