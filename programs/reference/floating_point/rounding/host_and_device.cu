// Do host and device give the same bits? The function below is compiled for both. nvcc
// fuses a * b + c on the device; the host's compiler does so only if it optimizes for a
// processor that can. With the same choice on both sides, all results agree.

#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [function]
/// A step of a polynomial.
/// @param a, b, c  the operands
/// @return a * b + c
__host__ __device__ inline float step(float a, float b, float c) { return a * b + c; }

/// Computes one step for each element.
/// @param n        number of elements
/// @param a, b, c  n elements each, in device memory
/// @param out      n elements in device memory, replaced by the results
__global__ void steps(int n, const float* a, const float* b, const float* c,
                      float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = step(a[i], b[i], c[i]);
}
// [/function]

int main() {
    lockstep::require_device();

    constexpr int n = 10'000;
    std::vector<float> a(n), b(n), c(n), on_host(n);
    for (int i = 0; i < n; ++i) {
        a[i] = 1 + static_cast<float>(i % 100) / 128;
        b[i] = 1 + static_cast<float>(i) / n;
        c[i] = -1 - static_cast<float>(i % 77) / 77;
        on_host[i] = step(a[i], b[i], c[i]);
    }
    const lockstep::device_buffer<float> d_a(a), d_b(b), d_c(c);
    lockstep::device_buffer<float> d_out(n);
    d_out.fill_bytes(0xFF);
    constexpr int block_size = 256;
    steps<<<(n + block_size - 1) / block_size, block_size>>>(n, d_a.data(), d_b.data(),
                                                             d_c.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> on_device = d_out.to_host();

    int different = 0;
    bool right = true;
    for (int i = 0; i < n; ++i) {
        different += std::memcmp(&on_host[i], &on_device[i], sizeof(float)) != 0;
        // two roundings of numbers below 4 are off by at most half a unit of 4 each
        const float difference = on_host[i] - on_device[i];
        right &= difference <= 0x1p-22f && difference >= -0x1p-22f;
    }
    lockstep::report("results", n);
    lockstep::report("results that differ", different);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
