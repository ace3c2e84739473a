#pragma once
// The error of a float result in units in the last place (ulp), and the largest one of
// a sweep with the argument where it occurs. The reference is a double.

#include <cstring>

/// What a sweep found. The error of a key stands in the upper half, as the bits of a
/// float; the lower half is the complement of the argument's number, so that among
/// equal errors the first argument has the largest key.
struct worst {
    unsigned long long key, normal_key;  // of all, of normal arguments and results
    unsigned steps, normal_steps;  // floats between result and rounded reference
    unsigned nan_differs;  // results where only one of the two is NaN
    unsigned long long calls;
};

/// Position of a float in the order of all floats.
/// @param value  not NaN
inline __device__ int order(float value) {
    const int bits = __float_as_int(value);
    return bits < 0 ? int(0x80000000u) - bits : bits;
}

// [ulp]
/// Error in ulp: the distance of the exact value r, divided by the distance of the
/// floats beside r. An infinite result counts as 2^128, the first power of two beyond
/// all floats.
/// @param found  the result, not NaN
/// @param r      the exact value, as a double
inline __device__ double error_in_ulp(float found, double r) {
    const double limit = 0x1p128;
    r = fmin(fmax(r, -limit), limit);
    const double f = fmin(fmax(double(found), -limit), limit);
    const int exponent = max((__double2hiint(r) >> 20 & 0x7ff) - 1023, -126);
    const double ulp = __hiloint2double((min(exponent, 127) - 23 + 1023) << 20, 0);
    return fabs(f - r) / ulp;
}
// [/ulp]

// [steps]
/// Floats from a result to the correctly rounded one. Where the double is too close to
/// the middle of two floats to tell which one that is, the nearer one counts.
/// @param found  the result, not NaN
/// @param r      the exact value, as a double
inline __device__ unsigned steps_off(float found, double r) {
    const double limit = 0x1p128, slack = fmin(fabs(r), limit) * 0x1p-48;
    r = fmin(fmax(r, -limit), limit);  // becomes infinite as a float
    const float low = float(r - slack), high = float(r + slack);
    if (found < low) return order(low) - order(found);
    return found > high ? order(found) - order(high) : 0;
}
// [/steps]

/// Takes a result into what a thread has found so far.
/// @param mine    of the thread
/// @param number  of the argument
/// @param found   the result
/// @param r       the exact value, as a double
/// @param normal  whether the arguments are normal floats
inline __device__ void take(worst& mine, unsigned number, float found, double r,
                            bool normal) {
    ++mine.calls;
    if (isnan(found) || isnan(r)) {
        mine.nan_differs += isnan(found) != isnan(r);
        return;
    }
    const float error = float(error_in_ulp(found, r));
    const unsigned long long key =
        (unsigned long long)(__float_as_uint(error)) << 32 | ~number;
    const unsigned steps = steps_off(found, r);
    mine.key = max(mine.key, key);
    mine.steps = max(mine.steps, steps);
    if (!normal || !(fabs(r) >= 0x1p-126 && fabs(r) < 0x1p128)) return;
    mine.normal_key = max(mine.normal_key, key);
    mine.normal_steps = max(mine.normal_steps, steps);
}

/// The largest error that a key holds, in ulp.
/// @param key  of a sweep
inline double error_of(unsigned long long key) {
    const unsigned bits = unsigned(key >> 32);
    float error;
    std::memcpy(&error, &bits, sizeof error);
    return error;
}

/// The number of the argument that a key holds.
/// @param key  of a sweep
inline unsigned number_of(unsigned long long key) { return ~unsigned(key); }

/// Joins what a thread has found with what all have.
/// @param mine  of the thread
/// @param all   of all threads, in device memory
inline __device__ void join(const worst& mine, worst* all) {
    atomicMax(&all->key, mine.key);
    atomicMax(&all->normal_key, mine.normal_key);
    atomicMax(&all->steps, mine.steps);
    atomicMax(&all->normal_steps, mine.normal_steps);
    atomicAdd(&all->nan_differs, mine.nan_differs);
    atomicAdd(&all->calls, mine.calls);
}
