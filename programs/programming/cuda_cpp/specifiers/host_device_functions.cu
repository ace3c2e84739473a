// Can the CPU and the GPU use the same function? Yes: __host__ __device__ compiles it
// twice, once for each. It works for free functions, member functions, function objects
// and lambdas, and both versions return the same results.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [functions]
/// x squared.
__host__ __device__ int square(int x) { return x * x; }

/// A straight line.
struct line {
    int slope;  ///< rise for each step
    int offset;  ///< value at 0

    /// The line at x, as a member function.
    __host__ __device__ int at(int x) const { return slope * x + offset; }
    /// The same, as a function object.
    __host__ __device__ int operator()(int x) const { return at(x); }
};
// [/functions]

// [apply]
/// Calls a function object for each index.
/// @param function  callable with int on the device; passed by value, as all kernel
///                  arguments are
/// @param n         number of elements
/// @param y         n results on the device
template <class Function>
__global__ void apply(Function function, int n, int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = function(i);
}
// [/apply]

/// Runs a function object on both sides and prints whether the results agree.
/// @param label     for the report
/// @param function  callable with int on both sides
template <class Function>
bool agree(const char* label, Function function) {
    constexpr int n = 1000;
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = function(i);
    lockstep::device_buffer<int> d_y(n);
    d_y.fill_bytes(0xFF);
    apply<<<(n + 255) / 256, 256>>>(function, n, d_y.data());
    lockstep::check(cudaGetLastError());
    const bool equal = lockstep::count_mismatches(d_y.to_host(), expected) == 0;
    lockstep::report(label, equal ? "equal" : "different");
    return equal;
}

int main() {
    lockstep::require_device();

    // [calls]
    const line steep{7, 3};
    bool equal = agree("function object", steep);
    equal &= agree("lambda, free function",
                   [] __host__ __device__(int x) { return square(x); });
    equal &= agree("lambda, member function",
                   [=] __host__ __device__(int x) { return steep.at(x) + 1; });
    // [/calls]
    return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
