// How wrong are the fast intrinsics, and where? Each is called with all 2^32 floats and
// compared with the double function. The table has the largest error in the documented
// range and outside it, in the unit of the documented bound, and for a bound in ulp as
// the documentation counts: in floats between the result and the correctly rounded one.
// The series hold the largest error by size of the argument, for the intrinsics and for
// the functions they replace.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// How an error is stated.
enum measure { absolute, relative, ulps, floats, of_bound };

/// How arguments are divided into groups, each with its largest error.
enum grouping { by_range, by_power_of_two, by_whole_number, by_distance_from_one };
constexpr int group_count = 128;

/// A documented bound: of which function, in which unit, for which sizes of x.
struct row {
    const char* name;
    int function;
    measure unit;
    float low, high;
    const char *range, *bound;
    float slope;  // of a bound that grows with the argument
};

constexpr float pi = 3.14159274f, infinite = INFINITY;
constexpr row rows[] = {
    {"__sinf", 0, absolute, 0, pi, "|x| <= pi", "2^-21.41", 0},
    {"__cosf", 1, absolute, 0, pi, "|x| <= pi", "2^-21.41", 0},
    {"__logf", 5, absolute, 0.5f, 2, "0.5 to 2", "2^-21.41", 0},
    {"__logf", 5, floats, 0.5f, 2, "others", "3 ulp", 0},
    {"__log2f", 6, absolute, 0.5f, 2, "0.5 to 2", "2^-22", 0},
    {"__log2f", 6, floats, 0.5f, 2, "others", "2 ulp", 0},
    {"__log10f", 7, absolute, 0.5f, 2, "0.5 to 2", "2^-24", 0},
    {"__log10f", 7, floats, 0.5f, 2, "others", "3 ulp", 0},
    {"__expf", 3, of_bound, 0, infinite, "all", "2 + floor(1.173 |x|)", 1.173f},
    {"__exp10f", 4, of_bound, 0, infinite, "all", "2 + floor(2.97 |x|)", 2.97f},
    {"__tanhf", 8, relative, 0, infinite, "all", "2^-11", 0},
    {"__frcp_rn", 9, floats, 0, infinite, "all", "0 ulp", 0},
    {"__fsqrt_rn", 10, floats, 0, infinite, "all", "0 ulp", 0},
    {"__frsqrt_rn", 11, floats, 0, infinite, "all", "0 ulp", 0},
};

/// Calls an intrinsic, or a function that one replaces.
/// @param function  which
/// @param x         the argument
__device__ float call(int function, float x) {
    switch (function) {
        case 0: return __sinf(x);
        case 1: return __cosf(x);
        case 2: return __tanf(x);
        case 3: return __expf(x);
        case 4: return __exp10f(x);
        case 5: return __logf(x);
        case 6: return __log2f(x);
        case 7: return __log10f(x);
        case 8: return __tanhf(x);
        case 9: return __frcp_rn(x);
        case 10: return __fsqrt_rn(x);
        case 11: return __frsqrt_rn(x);
        case 12: return sinf(x);
        case 13: return expf(x);
        default: return logf(x);
    }
}

/// The same in double.
/// @param function  which
/// @param x         the argument
__device__ double exact(int function, double x) {
    switch (function) {
        case 0:
        case 12: return sin(x);
        case 1: return cos(x);
        case 2: return tan(x);
        case 3:
        case 13: return exp(x);
        case 4: return exp10(x);
        case 5:
        case 14: return log(x);
        case 6: return log2(x);
        case 7: return log10(x);
        case 8: return tanh(x);
        case 9: return 1 / x;
        case 10: return sqrt(x);
        default: return rsqrt(x);
    }
}

/// Floats from a result to the correctly rounded one. Where the double is too close to
/// the middle of two floats to tell which one that is, the nearer one counts.
/// @param result  a float, finite
/// @param r       the exact value, the size of a normal float and of the same sign
__device__ int floats_off(float result, double r) {
    const double slack = r * 0x1p-48;
    const int found = __float_as_int(result);
    return min(abs(found - __float_as_int(float(r - slack))),
               abs(found - __float_as_int(float(r + slack))));
}

// [error]
/// The error of a result.
/// @param result  a float, finite
/// @param r       the exact value, the size of a normal float
/// @param unit    in which it is stated
/// @param bound   the documented number of floats, for the unit of_bound
__device__ double error(float result, double r, measure unit, double bound) {
    const double difference = fabs(result - r);
    if (unit == absolute) return difference;
    if (unit == relative) return difference / fabs(r);
    if (unit == ulps) return difference / ldexp(1.0, ilogb(r) - 23);
    return unit == floats ? floats_off(result, r) : floats_off(result, r) / bound;
}
// [/error]

/// The group of an argument.
/// @param how        the grouping
/// @param x          the argument
/// @param low, high   if grouped by range, |x| between them is group 0, others group 1
__device__ int group_of(grouping how, float x, float low, float high) {
    const float size = fabsf(x), distance = fabsf(x - 1);
    if (how == by_range) return size >= low && size <= high ? 0 : 1;
    if (how == by_whole_number) return min(int(size), group_count - 1);
    const float measured = how == by_power_of_two ? size : distance;
    return min(max(ilogbf(measured) + 64, 0), group_count - 1);
}

/// Calls a function with all floats, or every stride-th, and keeps the largest error of
/// each group of arguments.
/// @param r        its row
/// @param how      the grouping
/// @param stride   distance of the arguments' bit patterns
/// @param largest  group_count errors, as the bits of floats, and below them the
///                 complement of the argument's bits
__global__ void sweep(row r, grouping how, unsigned stride,
                      unsigned long long* largest) {
    const unsigned long long step = (unsigned long long)(gridDim.x) * blockDim.x;
    unsigned long long i = blockIdx.x * (unsigned long long)(blockDim.x) + threadIdx.x;
    for (; i * stride < 1ull << 32; i += step) {
        const unsigned bits = unsigned(i * stride);
        const float x = __uint_as_float(bits), result = call(r.function, x);
        const double value = exact(r.function, x);
        const bool normal = fabsf(x) >= 0x1p-126f && fabsf(x) < INFINITY;
        if (!normal || !(fabs(value) < 0x1.fffffep127)) continue;
        if (r.unit != absolute && !(fabs(value) >= 0x1p-126)) continue;
        const double bound = 2 + floor(double(r.slope) * fabs(double(x)));
        const auto key = (unsigned long long)(__float_as_uint(
                             float(error(result, value, r.unit, bound))))
                             << 32 |
                         ~bits;
        unsigned long long* group = largest + group_of(how, x, r.low, r.high);
        if (key > *group) atomicMax(group, key);  // seldom: most errors are smaller
    }
}

/// The error that a key holds.
/// @param key  of a sweep
float error_of(unsigned long long key) {
    const unsigned bits = unsigned(key >> 32);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// The argument that a key holds.
/// @param key  of a sweep
float argument_of(unsigned long long key) {
    const unsigned bits = ~unsigned(key);
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto stride = options.integer<unsigned>("stride", 1, 1, 1 << 30);
    const char* trigonometric = options.text("sine");
    const char* exponential = options.text("exponential");
    const char* logarithmic = options.text("logarithm");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<unsigned long long> d_largest(group_count);
    const auto run = [&](const row& r, grouping how) {
        d_largest.fill_bytes(0);
        sweep<<<2048, 256>>>(r, how, stride, d_largest.data());
        lockstep::check(cudaGetLastError());
        return d_largest.to_host();
    };
    bool called = true;
    std::printf("%-12s%-11s%-20s%-22s%s\n", "intrinsic", "arguments", "largest error",
                "documented", "argument");
    for (const row& r : rows) {
        const auto found = run(r, by_range);
        const unsigned long long key = found[r.range[0] == 'o'];
        called = called && key > 0;
        const float error = error_of(key);
        char text[40];
        if (r.unit == absolute || r.unit == relative)
            std::snprintf(text, sizeof text, "2^%.2f %s", std::log2(error),
                          r.unit == absolute ? "absolute" : "relative");
        else if (r.unit == floats)
            std::snprintf(text, sizeof text, "%.0f floats off", error);
        else
            std::snprintf(text, sizeof text, "%.2f of the bound", error);
        std::printf("%-12s%-11s%-20s%-22s%.9g\n", r.name, r.range, text, r.bound,
                    argument_of(key));
    }

    const auto write = [&](lockstep::csv_file& file, const char* name, int function,
                           measure unit, grouping how, int first, int last) {
        const auto found = run({name, function, unit, 0, 0, "", "", 0}, how);
        for (int group = first; group <= last; ++group)
            if (how == by_whole_number)
                file.row("%d,%s,%.4g", group, name, error_of(found[group]));
            else
                file.row("%.4g,%s,%.4g", std::ldexp(1.0, group - 64), name,
                         error_of(found[group]));
    };
    lockstep::csv_file sine(trigonometric, "size_of_x,function,absolute_error");
    write(sine, "__sinf", 0, absolute, by_power_of_two, 64 - 16, 64 + 24);
    write(sine, "__cosf", 1, absolute, by_power_of_two, 64 - 16, 64 + 24);
    write(sine, "sinf", 12, absolute, by_power_of_two, 64 - 16, 64 + 24);
    sine.finish();
    lockstep::csv_file exponent(exponential, "size_of_x,function,error_ulp");
    write(exponent, "__expf", 3, ulps, by_whole_number, 0, 86);
    write(exponent, "expf", 13, ulps, by_whole_number, 0, 86);
    for (int x = 0; exponential && x <= 86; ++x)
        exponent.row("%d,bound of __expf,%.4g", x, 2 + std::floor(1.173 * (x + 1)));
    exponent.finish();
    lockstep::csv_file logarithm(logarithmic, "distance_from_1,function,error_ulp");
    write(logarithm, "__logf", 5, ulps, by_distance_from_one, 64 - 24, 64 + 10);
    write(logarithm, "logf", 14, ulps, by_distance_from_one, 64 - 24, 64 + 10);
    logarithm.finish();
    return called ? EXIT_SUCCESS : EXIT_FAILURE;
}
