// How wrong can a double function be? There are too many doubles to try them all, so
// this program tries eight million arguments for each function, and compares with a
// reference of long double, which has eleven more bits. It prints the largest error in
// ulp that it met, the documented bound, and the argument.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#include "long_references.hpp"

/// A function, its documented bound in ulp, its reference, the number of its arguments,
/// and the range that the bound leaves out.
struct row {
    const char* name;
    int bound;
    real (*reference)(real x, real y, double found);
    int arguments = 1;
    double low = 0, high = 0;
};

constexpr row rows[] = {
    {"1 / x", 0, [](real x, real, double) { return 1 / x; }},
    {"sqrt", 0, [](real x, real, double) { return std::sqrt(x); }},
    {"rsqrt", 1, [](real x, real, double) { return 1 / std::sqrt(x); }},
    {"cbrt", 1, [](real x, real, double) { return std::cbrt(x); }},
    {"rcbrt", 1, [](real x, real, double) { return 1 / std::cbrt(x); }},
    {"exp", 1, [](real x, real, double) { return std::exp(x); }},
    {"exp2", 1, [](real x, real, double) { return std::exp2(x); }},
    {"exp10", 1, [](real x, real, double) { return std::pow(real(10), x); }},
    {"expm1", 1, [](real x, real, double) { return std::expm1(x); }},
    {"log", 1, [](real x, real, double) { return std::log(x); }},
    {"log2", 1, [](real x, real, double) { return std::log2(x); }},
    {"log10", 1, [](real x, real, double) { return std::log10(x); }},
    {"log1p", 1, [](real x, real, double) { return std::log1p(x); }},
    {"sin", 2, [](real x, real, double) { return std::sin(x); }},
    {"cos", 2, [](real x, real, double) { return std::cos(x); }},
    {"tan", 2, [](real x, real, double) { return std::tan(x); }},
    {"sinpi", 2, [](real x, real, double) { return sine_of_turns(x, 0); }},
    {"cospi", 2, [](real x, real, double) { return sine_of_turns(x, 1); }},
    {"asin", 2, [](real x, real, double) { return std::asin(x); }},
    {"acos", 2, [](real x, real, double) { return std::acos(x); }},
    {"atan", 2, [](real x, real, double) { return std::atan(x); }},
    {"sinh", 2, [](real x, real, double) { return std::sinh(x); }},
    {"cosh", 1, [](real x, real, double) { return std::cosh(x); }},
    {"tanh", 1, [](real x, real, double) { return std::tanh(x); }},
    {"asinh", 3, [](real x, real, double) { return std::asinh(x); }},
    {"acosh", 3, [](real x, real, double) { return std::acosh(x); }},
    {"atanh", 2, [](real x, real, double) { return std::atanh(x); }},
    {"erf", 2, [](real x, real, double) { return std::erf(x); }},
    {"erfc", 5, [](real x, real, double) { return std::erfc(x); }},
    {"erfcx", 4, [](real x, real, double) { return scaled_erfc(x); }},
    {"erfinv", 5, [](real x, real, double found) { return erf_inverse(x, found); }},
    {"erfcinv", 6, [](real x, real, double found) { return erfc_inverse(x, found); }},
    {"normcdf", 5, [](real x, real, double) { return normal_cdf(x); }},
    {"normcdfinv", 8,
     [](real x, real, double found) { return normal_cdf_inverse(x, found); }},
    {"tgamma", 10, [](real x, real, double) { return std::tgamma(x); }},
    {"lgamma", 4, [](real x, real, double) { return std::lgamma(x); }, 1, -23.0001,
     -2.2637},
    {"rint", 0, [](real x, real, double) { return std::rint(x); }},
    {"pow", 2, [](real x, real y, double) { return std::pow(x, y); }, 2},
    {"atan2", 2, [](real x, real y, double) { return std::atan2(x, y); }, 2},
    {"hypot", 2, [](real x, real y, double) { return std::hypot(x, y); }, 2},
    {"rhypot", 1, [](real x, real y, double) { return 1 / std::hypot(x, y); }, 2},
    {"fmod", 0, [](real x, real y, double) { return std::fmod(x, y); }, 2},
};
constexpr int row_count = sizeof rows / sizeof rows[0];

/// Calls a function of the table.
/// @param function  its place in the table
/// @param x, y      the arguments
__device__ double call(int function, double x, double y) {
    switch (function) {
        case 0: return 1 / x;
        case 1: return sqrt(x);
        case 2: return rsqrt(x);
        case 3: return cbrt(x);
        case 4: return rcbrt(x);
        case 5: return exp(x);
        case 6: return exp2(x);
        case 7: return exp10(x);
        case 8: return expm1(x);
        case 9: return log(x);
        case 10: return log2(x);
        case 11: return log10(x);
        case 12: return log1p(x);
        case 13: return sin(x);
        case 14: return cos(x);
        case 15: return tan(x);
        case 16: return sinpi(x);
        case 17: return cospi(x);
        case 18: return asin(x);
        case 19: return acos(x);
        case 20: return atan(x);
        case 21: return sinh(x);
        case 22: return cosh(x);
        case 23: return tanh(x);
        case 24: return asinh(x);
        case 25: return acosh(x);
        case 26: return atanh(x);
        case 27: return erf(x);
        case 28: return erfc(x);
        case 29: return erfcx(x);
        case 30: return erfinv(x);
        case 31: return erfcinv(x);
        case 32: return normcdf(x);
        case 33: return normcdfinv(x);
        case 34: return tgamma(x);
        case 35: return lgamma(x);
        case 36: return rint(x);
        case 37: return pow(x, y);
        case 38: return atan2(x, y);
        case 39: return hypot(x, y);
        case 40: return rhypot(x, y);
        default: return fmod(x, y);
    }
}

// [arguments]
/// One argument of one call; a quarter of the calls has each of four kinds.
/// @param i      number of the call
/// @param which  0 for x, 1 for y
__host__ __device__ double argument(unsigned i, unsigned which) {
    const std::uint64_t high = lockstep::random_word(i, 2 * which);
    std::uint64_t bits = high << 32 | lockstep::random_word(i, 2 * which + 1);
    const std::uint64_t rest = bits & 0x800fffffffffffff, exponent = bits >> 52 & 63;
    if (i % 4 == 1) bits = rest | (1023 - 32 + exponent) << 52;  // 2^-32 to 2^32
    if (i % 4 == 2 && which == 0)  // close to 1, on either side
        bits = 0x3ff0000000000000 + (std::int64_t(bits) >> (13 + exponent % 48));
    if (i % 4 == 3 && which == 0)  // evenly between -800 and 800
        return (double(high) - 0x1p31) * (800 / 0x1p31);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
// [/arguments]

/// Calls a function n times.
/// @param function  its place in the table
/// @param n         number of calls
/// @param results   n results in device memory, written
__global__ void call_all(int function, unsigned n, double* results) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) results[i] = call(function, argument(i, 0), argument(i, 1));
}

/// What was found in some of the calls.
struct worst {
    real error = 0;
    std::int64_t steps = 0;
    unsigned at = 0, calls = 0, nan_differs = 0;
};

/// Position of a double in the order of all doubles.
/// @param value  not NaN
std::int64_t order(double value) {
    std::int64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? std::int64_t(0x8000000000000000u) - bits : bits;
}

/// Compares every step-th result from one on with its reference.
/// @param r        the row of the function
/// @param results  of all calls
/// @param begin    the first
/// @param step     distance to the next
worst compare(const row& r, const std::vector<double>& results, unsigned begin,
              unsigned step) {
    worst found;
    for (unsigned i = begin; i < results.size(); i += step) {
        const double x = argument(i, 0), y = argument(i, 1), result = results[i];
        if (x > r.low && x < r.high) continue;
        ++found.calls;
        // [compare]
        real exact = r.reference(x, y, result);
        if (std::isnan(result) || std::isnan(exact)) {
            found.nan_differs += std::isnan(result) != std::isnan(exact);
            continue;
        }
        exact = std::clamp(exact, -0x1p1024L, 0x1p1024L);  // infinite as a double
        const real value = std::clamp<real>(result, -0x1p1024L, 0x1p1024L);
        const int exponent = exact == 0 ? -1022 : std::ilogb(exact);
        const real ulp = std::ldexp(1.0L, std::clamp(exponent, -1022, 1023) - 52);
        const real error = std::fabs(value - exact) / ulp;
        // [/compare]
        if (error > found.error) found.at = i, found.error = error;
        const real slack = std::fabs(exact) * 0x1p-60L;
        const double low = double(exact - slack), high = double(exact + slack);
        if (result < low)
            found.steps = std::max(found.steps, order(low) - order(result));
        if (result > high)
            found.steps = std::max(found.steps, order(result) - order(high));
    }
    return found;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto n = options.integer<unsigned>("n", 1 << 23, 1, 1 << 28);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<double> d_results(n);
    unsigned long long calls = 0, nan_differs = 0;
    int over = 0;
    std::printf("%-12s%10s%13s%7s  %s\n", "function", "error, ulp", "doubles off",
                "bound", "arguments");
    for (int function = 0; function < row_count; ++function) {
        const row& r = rows[function];
        d_results.fill_bytes(0xff);
        call_all<<<(n + 255) / 256, 256>>>(function, n, d_results.data());
        lockstep::check(cudaGetLastError());
        const std::vector<double> results = d_results.to_host();

        const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
        std::vector<worst> parts(threads);
        std::vector<std::thread> workers;
        for (unsigned t = 0; t < threads; ++t)
            workers.emplace_back(
                [&, t] { parts[t] = compare(r, results, t, threads); });
        for (std::thread& worker : workers) worker.join();

        worst all;
        for (const worst& part : parts) {
            const bool first = part.error == all.error && part.at < all.at;
            if (part.error > all.error || first)
                all.error = part.error, all.at = part.at;
            all.steps = std::max(all.steps, part.steps);
            calls += part.calls;
            nan_differs += part.nan_differs;
        }
        over += all.steps > r.bound;
        std::printf("%-12s%10.2Lf%13lld%7d ", r.name, all.error, (long long)(all.steps),
                    r.bound);
        for (int which = 0; which < r.arguments; ++which)
            std::printf(" %.17g", argument(all.at, which));
        std::printf("\n");
    }
    lockstep::report("over their bound", over, "functions");
    lockstep::report("calls", calls);
    lockstep::report("NaN in one of the two", nan_differs);
    return calls > 0 && nan_differs == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
