// What does -expt-relaxed-constexpr allow? A kernel may call a constexpr function of
// the host, and the host one of the device. Without it nvcc refuses that even in a
// constant expression. A constant at namespace scope, computed in no function, needs no
// option.

#include <array>
#include <cstdlib>
#include <vector>

#include <cuda/std/array>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
/// A function of the host.
constexpr int square(int x) { return x * x; }
constexpr int known = square(9);  // at namespace scope: needs no option

/// A function of the device.
__device__ constexpr int cube(int x) { return x * x * x; }

/// A class whose members are functions of the host.
struct point {
    constexpr point(int given_x, int given_y) : x(given_x), y(given_y) {}
    constexpr int norm() const { return x * x + y * y; }
    int x, y;
};
// [/functions]

// [kernel]
/// Calls functions of the host; one thread.
/// @param x        argument of all
/// @param results  five ints in device memory, written
__global__ void call(int x, int* results) {
    results[0] = known;
    results[1] = cuda::std::array<int, 2>{x, 8}[1];  // needs no option
    constexpr int constant = square(10);
    results[2] = square(x) + constant;
    results[3] = point(x, 1).norm();
    results[4] = std::array<int, 2>{x, 6}[1];
}
// [/kernel]

int main() {
    lockstep::require_device();
    constexpr int count = 5;
    lockstep::device_buffer<int> d_results(count);
    d_results.fill_bytes(0xFF);
    call<<<1, 1>>>(7, d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> results = d_results.to_host();
    // [host]
    int on_host = -1;
#ifdef __CUDACC_RELAXED_CONSTEXPR__
    on_host = cube(3);  // the other direction
#endif
    // [/host]
    const char* labels[count] = {"constant of square(9)", "cuda::std::array",
                                 "square(7) + square(10)", "point(7, 1).norm()",
                                 "std::array"};
    const int expected[count] = {81, 8, 149, 50, 6};
    bool right = on_host == 27;
    for (int i = 0; i < count; ++i) {
        lockstep::report(labels[i], results[i]);
        right = right && results[i] == expected[i];
    }
    lockstep::report("cube(3), on the host", on_host);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
