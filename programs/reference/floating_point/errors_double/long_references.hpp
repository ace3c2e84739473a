#pragma once
// Functions in long double that the C library lacks, made of those that it has. Each is
// written so that the eleven bits which long double has beyond double are not lost.

#include <cmath>

using real = long double;

constexpr real pi = 3.141592653589793238462643383279502884L;
constexpr real sqrt_pi = 1.772453850905516027298167483341145183L;
constexpr real half_root = 0.7071067811865475244008443621048490393L;  // 1 / sqrt(2)

/// sin(pi x) or cos(pi x): x is first reduced without any error.
/// @param x        the argument
/// @param quarter  quarters of a turn that are added: 0 for the sine, 1 for the cosine
inline real sine_of_turns(real x, int quarter) {
    if (!std::isfinite(x)) return x - x;
    const real turn = std::remainder(x, 2.0L), quarters = std::rint(2 * turn);
    const real rest = pi * (turn - quarters / 2);  // at most a quarter of pi
    const int place = (int(quarters) + quarter + 4) % 4;
    const real size = place % 2 ? std::cos(rest) : std::sin(rest);
    return place < 2 ? size : -size;
}

/// exp(x^2) erfc(x), with the rounding error of x^2 put back.
/// @param x  the argument
inline real scaled_erfc(real x) {
    if (x > 100) {
        const real t = 1 / (2 * x * x);
        const real sum = 1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t * (1 - 9 * t))));
        return sum / (x * sqrt_pi);
    }
    if (x < -30) return HUGE_VALL;
    const real square = x * x, lost = std::fma(x, x, -square);
    return std::exp(square) * (1 + lost) * std::erfc(x);
}

/// The inverse of erf, by a step of Newton's method from a result of double.
/// @param x      the argument
/// @param found  a result that is almost right
inline real erf_inverse(real x, double found) {
    if (x == 1 || x == -1) return x * HUGE_VALL;
    if (!(std::fabs(x) < 1)) return NAN;
    const real y = found, slope = 2 / sqrt_pi * std::exp(-y * y);
    if (std::fabs(x) < 0.5L) return y - (std::erf(y) - x) / slope;
    const real sign = x < 0 ? -1 : 1;  // 1 - |x| is exact
    return y + sign * (std::erfc(sign * y) - (1 - sign * x)) / slope;
}

// [erfc-inverse]
/// The inverse of erfc, likewise.
/// @param x      the argument
/// @param found  a result that is almost right
inline real erfc_inverse(real x, double found) {
    if (x == 0) return HUGE_VALL;
    if (x == 2) return -HUGE_VALL;
    if (!(x > 0 && x < 2)) return NAN;
    const real y = found, slope = 2 / sqrt_pi * std::exp(-y * y);
    if (x > 0.5L && x < 1.5L) return y - (std::erf(y) - (1 - x)) / slope;
    if (x < 1) return y + (std::erfc(y) - x) / slope;
    return y - (std::erfc(-y) - (2 - x)) / slope;
}
// [/erfc-inverse]

/// The normal distribution function, with the rounding error of x / sqrt(2) put back.
/// @param x  the argument
inline real normal_cdf(real x) {
    if (std::isinf(x)) return x > 0;
    const real half_root_lost =
        std::fma(-2 * half_root, half_root, 1.0L) / (4 * half_root);
    const real t = -x * half_root;
    const real lost = std::fma(-x, half_root, -t) - x * half_root_lost;
    return (std::erfc(t) - lost * 2 / sqrt_pi * std::exp(-t * t)) / 2;
}

/// The inverse of the normal distribution function.
/// @param p      the argument
/// @param found  a result that is almost right
inline real normal_cdf_inverse(real p, double found) {
    if (p == 0 || p == 1) return p == 0 ? -HUGE_VALL : HUGE_VALL;
    if (!(p > 0 && p < 1)) return NAN;
    const real y = found, slope = half_root / sqrt_pi * std::exp(-y * y / 2);
    if (p > 0.25L && p < 0.75L)
        return y - (std::erf(y * half_root) / 2 - (p - 0.5L)) / slope;
    if (p < 0.5L) return y - (normal_cdf(y) - p) / slope;
    return y + (normal_cdf(-y) - (1 - p)) / slope;
}
