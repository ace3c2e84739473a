// How wrong can a float function be? This program calls each function of one argument
// with all 2^32 floats, compares with the double function, and prints the largest error
// in ulp, how many floats lie between that result and the correctly rounded one, the
// documented bound for this number, and the argument. With --changed-from it prints
// only functions whose error differs from an earlier run's, such as one of another
// build.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#include "ulp.cuh"

/// A function, its documented bound in ulp, and the range that the bound leaves out.
struct row {
    const char* name;
    int bound;
    float low = 0, high = 0;  // arguments between them are left out
    bool outside = false;  // if set, those outside are left out instead
};

constexpr row rows[] = {
    {"1 / x", 0},
    {"sqrt", 0},
    {"rsqrt", 2},
    {"cbrt", 1},
    {"rcbrt", 1},
    {"exp", 2},
    {"exp2", 2},
    {"exp10", 2},
    {"expm1", 1},
    {"log", 1},
    {"log2", 1},
    {"log10", 2},
    {"log1p", 1},
    {"sin", 2},
    {"cos", 2},
    {"tan", 4},
    {"sinpi", 1},
    {"cospi", 1},
    {"asin", 2},
    {"acos", 2},
    {"atan", 2},
    {"sinh", 3},
    {"cosh", 2},
    {"tanh", 2},
    {"asinh", 3},
    {"acosh", 4},
    {"atanh", 3},
    {"erf", 2},
    {"erfc", 4},
    {"erfcx", 4},
    {"erfinv", 2},
    {"erfcinv", 4},
    {"normcdf", 5},
    {"normcdfinv", 5},
    {"tgamma", 5},
    {"lgamma", 6, -10.001f, -2.264f},
    {"cyl_bessel_i0", 6},
    {"cyl_bessel_i1", 6},
    {"j0", 9, -8, 8, true},
    {"j1", 9, -8, 8, true},
    {"y0", 9, -8, 8, true},
    {"y1", 9, -8, 8, true},
    {"rint", 0},
    {"round", 0},
    {"trunc", 0},
    {"floor", 0},
    {"ceil", 0},
};
constexpr int row_count = sizeof rows / sizeof rows[0];

/// Calls a function of the table: for a float the float function, for a double the
/// double one.
/// @param function  its place in the table
/// @param x         the argument
template <class T>
__device__ T call(int function, T x) {
    switch (function) {
        case 0: return T(1) / x;
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
        case 36: return cyl_bessel_i0(x);
        case 37: return cyl_bessel_i1(x);
        case 38: return j0(x);
        case 39: return j1(x);
        case 40: return y0(x);
        case 41: return y1(x);
        case 42: return rint(x);
        case 43: return round(x);
        case 44: return trunc(x);
        case 45: return floor(x);
        default: return ceil(x);
    }
}

// [sweep]
/// Calls one function with all floats, or every stride-th, and keeps the largest error.
/// @param function  its place in the table
/// @param stride    distance of the arguments' bit patterns
/// @param range     the row of the function
/// @param all       what was found, in device memory
__global__ void sweep(int function, unsigned stride, row range, worst* all) {
    worst mine{};
    const unsigned long long step = (unsigned long long)(gridDim.x) * blockDim.x;
    unsigned long long i = blockIdx.x * (unsigned long long)(blockDim.x) + threadIdx.x;
    for (; i * stride < 1ull << 32; i += step) {
        const unsigned bits = unsigned(i * stride);
        const float x = __uint_as_float(bits);
        const bool between = x > range.low && x < range.high;
        if (between != range.outside) continue;
        const bool normal = (bits >> 23 & 0xff) != 0;
        take(mine, bits, call(function, x), call(function, double(x)), normal);
    }
    join(mine, all);
}
// [/sweep]

/// The argument that a key holds.
/// @param key  of a sweep
float argument_of(unsigned long long key) {
    const unsigned bits = number_of(key);
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto stride = options.integer<unsigned>("stride", 1, 1, 1 << 30);
    const bool normal = options.flag("normal");
    const char* csv = options.text("csv");
    const char* earlier = options.text("changed-from");
    options.finish();
    lockstep::require_device();

    std::string before;
    if (std::ifstream file(earlier ? earlier : ""); file)
        before.assign(std::istreambuf_iterator<char>(file), {});
    lockstep::csv_file series(csv, "function,normal_error_ulp,normal_steps,argument");
    lockstep::device_buffer<worst> d_all(1);
    unsigned long long calls = 0, nan_differs = 0;
    int over = 0;
    std::printf("%-14s%10s%12s%7s  %s\n", "function", "error, ulp", "floats off",
                "bound", "argument");
    for (int function = 0; function < row_count; ++function) {
        const row& r = rows[function];
        d_all.fill_bytes(0);
        sweep<<<2048, 256>>>(function, stride, r, d_all.data());
        lockstep::check(cudaGetLastError());
        const worst all = d_all.to_host()[0];
        calls += all.calls;
        nan_differs += all.nan_differs;

        char line[100];
        std::snprintf(line, sizeof line, "%s,%.4g,%u,%.9g", r.name,
                      error_of(all.normal_key), all.normal_steps,
                      argument_of(all.normal_key));
        series.row("%s", line);
        if (earlier && before.find(std::string("\n") + line + "\n") != before.npos)
            continue;
        const unsigned long long key = normal ? all.normal_key : all.key;
        const unsigned steps = normal ? all.normal_steps : all.steps;
        over += steps > unsigned(r.bound);
        std::printf(error_of(key) < 1e4 ? "%-14s%10.2f%12u%7d  %.9g\n"
                                        : "%-14s%10.1e%12u%7d  %.9g\n",
                    r.name, error_of(key), steps, r.bound, argument_of(key));
    }
    series.finish();
    lockstep::report("over their bound", over, "functions");
    lockstep::report("calls", calls);
    lockstep::report("NaN in one of the two", nan_differs);
    return calls > 0 && (normal || nan_differs == 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
