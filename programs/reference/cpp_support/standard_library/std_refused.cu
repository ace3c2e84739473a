// What of the standard library does nvcc refuse in a kernel? Whatever is an ordinary
// function, and, without an option, whatever is constexpr. Each line of the kernels
// gets an error, which names the function that stands in the way.

#include <algorithm>
#include <array>
#include <complex>
#include <cstdlib>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

// [constexpr]
/// Calls functions that are constexpr.
/// @param n  0 or 1
/// @param x  5 ints in device memory, written
/// @param y  2 floats in device memory, written
__global__ void call_constexpr(int n, int* x, float* y) {
    x[0] = std::max(n, 3);
    x[1] = std::min({n, 3, 4});
    x[2] = std::array<int, 2>{n, 1}[n];
    x[3] = std::get<0>(std::make_tuple(n, 1));
    x[4] = std::optional<int>(n).value_or(3);
    y[0] = std::numeric_limits<float>::max();
    y[1] = std::complex<float>(n, 1).real();
}
// [/constexpr]

// [ordinary]
/// Calls functions that are not.
/// @param x  4 ints in device memory, written
/// @param v  a vector of the host
/// @param m  a mutex of the host
/// @param f  a function object of the host
__global__ void call_ordinary(int* x, std::vector<int>& v, std::mutex& m,
                              std::function<int(int)> f) {
    std::sort(x, x + 4);
    x[0] = v[0];
    x[1] = f(2);
    x[2] = std::rand();
    m.lock();
}
// [/ordinary]
