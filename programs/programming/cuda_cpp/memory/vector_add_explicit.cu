// What does explicit memory look like? The same vector addition, with every allocation
// and every copy written out: pinned buffers on the host, buffers on the device, copies
// in and out.

#include <cmath>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// c = a + b, one thread for each element.
/// @param n  number of elements
/// @param a  n floats in device memory
/// @param b  n floats in device memory
/// @param c  n floats in device memory, written
__global__ void vector_add(int n, const float* a, const float* b, float* c) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1024, 1, 1 << 28);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(float);
    // [host]
    float* a = nullptr;
    float* b = nullptr;
    float* c = nullptr;
    // page-locked: copies run at full speed
    lockstep::check(cudaMallocHost(&a, bytes));
    lockstep::check(cudaMallocHost(&b, bytes));
    lockstep::check(cudaMallocHost(&c, bytes));
    for (int i = 0; i < n; ++i) {
        a[i] = i % 1000;
        b[i] = 2 * (i % 1000);
        c[i] = NAN;
    }
    // [/host]

    // [device]
    float* d_a = nullptr;
    float* d_b = nullptr;
    float* d_c = nullptr;
    lockstep::check(cudaMalloc(&d_a, bytes));
    lockstep::check(cudaMalloc(&d_b, bytes));
    lockstep::check(cudaMalloc(&d_c, bytes));
    // [/device]

    // [copy-in]
    lockstep::check(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    lockstep::check(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
    lockstep::check(cudaMemset(d_c, 0xFF, bytes));  // NaN in every element
    // [/copy-in]
    constexpr int block_size = 256;
    vector_add<<<(n + block_size - 1) / block_size, block_size>>>(n, d_a, d_b, d_c);
    lockstep::check(cudaGetLastError());
    // [copy-out]
    // waits for the kernel
    lockstep::check(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
    // [/copy-out]

    int wrong = 0;
    // counts NaN too
    for (int i = 0; i < n; ++i) wrong += !(std::fabs(c[i] - (a[i] + b[i])) <= 0);
    lockstep::report("elements", n);
    lockstep::report("wrong elements", wrong);

    // [free]
    for (float* memory : {d_a, d_b, d_c}) lockstep::check(cudaFree(memory));
    for (float* memory : {a, b, c}) lockstep::check(cudaFreeHost(memory));
    // [/free]
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
