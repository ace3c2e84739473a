// How does a loop become a kernel? Each iteration becomes a thread. This is the whole
// program: memory that both processors reach, a kernel that adds two vectors, a launch,
// a wait, and a check against the CPU.

#include <cmath>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// c = a + b, one thread for each element.
/// @param n  number of elements
/// @param a  n floats that the GPU can reach
/// @param b  n floats that the GPU can reach
/// @param c  n floats that the GPU can reach, written
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

    // [memory]
    float* a = nullptr;
    float* b = nullptr;
    float* c = nullptr;
    lockstep::check(cudaMallocManaged(&a, n * sizeof(float)));
    lockstep::check(cudaMallocManaged(&b, n * sizeof(float)));
    lockstep::check(cudaMallocManaged(&c, n * sizeof(float)));
    for (int i = 0; i < n; ++i) {
        a[i] = static_cast<float>(i % 1000);
        b[i] = static_cast<float>(2 * (i % 1000));
        c[i] = NAN;  // an element that no thread writes stays wrong
    }
    // [/memory]

    // [launch]
    constexpr int block_size = 256;
    const int grid_size = (n + block_size - 1) / block_size;  // rounded up
    vector_add<<<grid_size, block_size>>>(n, a, b, c);
    lockstep::check(cudaGetLastError());  // was the launch accepted?
    lockstep::check(cudaDeviceSynchronize());  // wait until the kernel has ended
    // [/launch]

    // [verify]
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const double error = std::fabs(c[i] - (a[i] + b[i]));
        wrong += !(error <= 0);  // counts NaN too, which error > 0 would not
    }
    // [/verify]
    lockstep::report("elements", n);
    lockstep::report("blocks", grid_size);
    lockstep::report("wrong elements", wrong);

    // [free]
    lockstep::check(cudaFree(a));
    lockstep::check(cudaFree(b));
    lockstep::check(cudaFree(c));
    // [/free]
    // whole numbers below 2^24: the sums are exact
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
