// Which loads are read-only loads? Those through a `const __restrict__` pointer that
// the kernel does not write to, and those by `__ldg`. A pointer that is only `const`
// does not suffice: the same memory may be written through another pointer. All three
// kernels compute the same.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// y = 2 x, one thread for each element.
/// @param x  one float for each thread in device memory
/// @param y  one float for each thread in device memory, written
__global__ void double_plain(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

/// The same, with the promise that x and y do not overlap.
/// @param x  one float for each thread in device memory
/// @param y  one float for each thread in device memory, written
__global__ void double_restrict(const float* __restrict__ x, float* __restrict__ y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

/// The same, with a read-only load by hand.
/// @param x  one float for each thread in device memory
/// @param y  one float for each thread in device memory, written
__global__ void double_ldg(const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * __ldg(x + i);
}
// [/kernels]

int main() {
    lockstep::require_device();
    constexpr int block_size = 256;
    constexpr int blocks = 4;
    std::vector<float> x(blocks * block_size), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i);
        expected[i] = 2 * x[i];
    }
    const lockstep::device_buffer<float> d_x(x);
    lockstep::device_buffer<float> d_y(x.size());

    std::size_t wrong = 0;
    for (auto* kernel : {double_plain, double_restrict, double_ldg}) {
        d_y.fill_bytes(0xFF);
        kernel<<<blocks, block_size>>>(d_x.data(), d_y.data());
        lockstep::check(cudaGetLastError());
        wrong += lockstep::count_mismatches(d_y.to_host(), expected);
    }
    lockstep::report("elements of each kernel", x.size());
    lockstep::report("wrong elements of all", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
