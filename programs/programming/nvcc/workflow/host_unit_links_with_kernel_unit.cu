// Must nvcc build everything? No. `checksum.cpp` holds host code alone, and g++
// compiles it. Even the link may be g++'s, if it gets the CUDA runtime as a library.
// What nvcc leaves to the host compiler, it leaves without optimization, unless you ask
// for it: the last line tells.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [units]
long long checksum(const std::vector<int>& x);  // defined in checksum.cpp

/// Doubles every element.
/// @param n  number of elements
/// @param x  n ints on the device
__global__ void twice(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}
// [/units]

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    constexpr int block_size = 256;
    std::vector<int> x(n);
    std::iota(x.begin(), x.end(), 0);
    lockstep::device_buffer<int> d_x(x);

    // [act]
    twice<<<(n + block_size - 1) / block_size, block_size>>>(n, d_x.data());
    lockstep::check(cudaGetLastError());
    const long long before = checksum(x);
    const long long after = checksum(d_x.to_host());
    lockstep::report("checksum before", before);
    lockstep::report("checksum after", after);
    // [/act]
    // [optimized]
#ifdef __OPTIMIZE__  // g++ defines it under -O1 and above
    lockstep::report("host code optimized", true);
#else
    lockstep::report("host code optimized", false);
#endif
    // [/optimized]
    return after == 2 * before ? EXIT_SUCCESS : EXIT_FAILURE;
}
