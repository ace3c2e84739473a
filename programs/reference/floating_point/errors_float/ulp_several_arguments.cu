// How wrong can a float function of two, three or four arguments be? All arguments are
// too many to try, so this program tries 2^32 sets of them: a quarter with all bits
// random, a quarter near 1, a quarter with a base very close to 1 and large second
// arguments, and a quarter with few bits set, where rounding is hardest.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#include "ulp.cuh"

/// A function, its number of arguments, and its documented bound in ulp.
struct row {
    const char* name;
    int arguments, bound;
};

constexpr row rows[] = {
    {"x + y", 2, 0},  {"x - y", 2, 0},   {"x * y", 2, 0},  {"x / y", 2, 0},
    {"fma", 3, 0},    {"fdim", 2, 0},    {"fmod", 2, 0},   {"remainder", 2, 0},
    {"pow", 2, 4},    {"atan2", 2, 3},   {"hypot", 2, 3},  {"rhypot", 2, 2},
    {"norm3d", 3, 3}, {"rnorm3d", 3, 2}, {"norm4d", 4, 3}, {"rnorm4d", 4, 2},
};
constexpr int row_count = sizeof rows / sizeof rows[0];

/// Calls a function of the table: for floats the float function, for doubles the double
/// one.
/// @param function  its place in the table
/// @param x, y, z, w  the arguments; a function takes as many as it needs
template <class T>
__device__ T call(int function, T x, T y, T z, T w) {
    constexpr bool single = std::is_same_v<T, float>;
    switch (function) {
        case 0: return x + y;
        case 1: return x - y;
        case 2: return x * y;
        case 3: return x / y;
        case 4: return fma(x, y, z);
        case 5: return fdim(x, y);
        case 6: return fmod(x, y);
        case 7: return remainder(x, y);
        case 8: return pow(x, y);
        case 9: return atan2(x, y);
        case 10: return hypot(x, y);
        case 11: return single ? T(rhypotf(x, y)) : T(rhypot(x, y));
        case 12: return single ? T(norm3df(x, y, z)) : T(norm3d(x, y, z));
        case 13: return single ? T(rnorm3df(x, y, z)) : T(rnorm3d(x, y, z));
        case 14: return single ? T(norm4df(x, y, z, w)) : T(norm4d(x, y, z, w));
        default: return single ? T(rnorm4df(x, y, z, w)) : T(rnorm4d(x, y, z, w));
    }
}

// [arguments]
/// One argument of one set.
/// @param set    its number; the two highest bits choose the kind
/// @param which  0 for x, 1 for y, 2 for z, 3 for w
__host__ __device__ float argument(unsigned set, unsigned which) {
    unsigned bits = lockstep::random_word(set, which);
    const unsigned kind = set >> 30;
    if (kind == 1) bits = (bits & 0x807fffff) | (111 + (bits >> 23 & 31)) << 23;
    if (kind == 2 && which == 0) bits = 0x3f800000 + (int(bits) >> (8 + bits % 16));
    if (kind == 2 && which > 0) bits = (bits & 0x807fffff) | (127 + (bits >> 27)) << 23;
    if (kind == 3) bits &= 0xff880001;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
// [/arguments]

/// Whether a float is normal.
/// @param x  the float
__device__ bool is_normal(float x) {
    return fabsf(x) >= 0x1p-126f && fabsf(x) <= 0x1.fffffep127f;
}

/// Calls one function with many sets of arguments and keeps the largest error.
/// @param function  its place in the table
/// @param stride    of the sets' numbers
/// @param all       what was found, in device memory
__global__ void sweep(int function, unsigned stride, worst* all) {
    worst mine{};
    const unsigned long long step = (unsigned long long)(gridDim.x) * blockDim.x;
    unsigned long long i = blockIdx.x * (unsigned long long)(blockDim.x) + threadIdx.x;
    for (; i * stride < 1ull << 32; i += step) {
        const unsigned set = unsigned(i * stride);
        const float x = argument(set, 0), y = argument(set, 1);
        const float z = argument(set, 2), w = argument(set, 3);
        const double r = call<double>(function, x, y, z, w);
        const bool normal =
            is_normal(x) && is_normal(y) && is_normal(z) && is_normal(w);
        take(mine, set, call(function, x, y, z, w), r, normal);
    }
    join(mine, all);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto stride = options.integer<unsigned>("stride", 1, 1, 1 << 30);
    const bool normal = options.flag("normal");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<worst> d_all(1);
    unsigned long long calls = 0, nan_differs = 0;
    unsigned nan_of[row_count] = {};
    int over = 0;
    std::printf("%-10s%10s%12s%7s  %s\n", "function", "error, ulp", "floats off",
                "bound", "arguments");
    for (int function = 0; function < row_count; ++function) {
        const row& r = rows[function];
        d_all.fill_bytes(0);
        sweep<<<2048, 256>>>(function, stride, d_all.data());
        lockstep::check(cudaGetLastError());
        const worst all = d_all.to_host()[0];
        calls += all.calls;
        nan_differs += nan_of[function] = all.nan_differs;
        const unsigned long long key = normal ? all.normal_key : all.key;
        const unsigned steps = normal ? all.normal_steps : all.steps;
        over += steps > unsigned(r.bound);
        std::printf(error_of(key) < 1e4 ? "%-10s%10.2f%12u%7d " : "%-10s%10.1e%12u%7d ",
                    r.name, error_of(key), steps, r.bound);
        for (int which = 0; which < r.arguments; ++which)
            std::printf(" %.9g", argument(number_of(key), which));
        std::printf("\n");
    }
    lockstep::report("over their bound", over, "functions");
    lockstep::report("calls", calls);
    lockstep::report("NaN in one of the two", nan_differs);
    for (int function = 0; function < row_count; ++function)
        if (nan_of[function] > 0)
            lockstep::report((std::string("  ") + rows[function].name).c_str(),
                             nan_of[function]);
    return calls > 0 && (normal || nan_differs == 0) ? EXIT_SUCCESS : EXIT_FAILURE;
}
