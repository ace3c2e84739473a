// How does an allocation become part of a stream's work? cudaMallocAsync and
// cudaFreeAsync go into the stream like kernels: what comes between them may use the
// memory, and the host waits only once, for the result.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

using whole = unsigned long long;

/// Squares the indices.
/// @param n        number of elements
/// @param squares  n numbers in device memory, written
__global__ void square(int n, whole* squares) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) squares[i] = static_cast<whole>(i) * i;
}

/// Adds numbers up.
/// @param n        number of elements
/// @param squares  n numbers in device memory
/// @param sum      one number in device memory, increased
__global__ void add_up(int n, const whole* squares, whole* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, squares[i]);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'000, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<whole> d_sum(1);
    d_sum.fill_bytes(0);
    // [stream]
    const cudaStream_t stream = cudaStreamPerThread;
    const int grid_size = (n + 255) / 256;
    whole* squares = nullptr;
    lockstep::check(cudaMallocAsync(&squares, n * sizeof(whole), stream));
    square<<<grid_size, 256, 0, stream>>>(n, squares);
    add_up<<<grid_size, 256, 0, stream>>>(n, squares, d_sum.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaFreeAsync(squares, stream));  // after both kernels
    lockstep::check(cudaStreamSynchronize(stream));   // for the host, which reads
    // [/stream]
    const whole sum = d_sum.to_host()[0];
    const whole last = n - 1;
    lockstep::report("elements", n);
    lockstep::report("sum of squares", sum);
    return sum == last * (last + 1) * (2 * last + 1) / 6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
