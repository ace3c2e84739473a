// In what order does a stream do its work, and when? In the order in which the work was
// enqueued, and later than the calls that enqueue it. A latch at the front keeps the
// GPU from beginning, so the program can enqueue four operations and see that none of
// them has happened.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

// [kernels]
/// Adds a number to each element.
/// @param n       number of elements
/// @param x       n elements in device memory
/// @param number  what to add
__global__ void add(int n, int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += number;
}

/// Multiplies each element by a number.
/// @param n       number of elements
/// @param x       n elements in device memory
/// @param number  the factor
__global__ void multiply(int n, int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= number;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 1 << 26);
    const bool multiply_first = options.choice("first", {"add", "multiply"}) == 1;
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(int);
    int* x = nullptr;
    int* result = nullptr;
    lockstep::check(cudaMallocHost(&x, bytes));
    lockstep::check(cudaMallocHost(&result, bytes));
    for (int i = 0; i < n; ++i) {
        x[i] = 10;
        result[i] = -1;
    }
    lockstep::device_buffer<int> d_x(n);
    const int block = 256;
    const int grid = (n + block - 1) / block;

    // [create]
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreate(&stream));
    // [/create]
    lockstep::stream_latch latch;
    lockstep::load_kernels(add, multiply);

    // [queue]
    latch.hold(stream);
    lockstep::check(
        cudaMemcpyAsync(d_x.data(), x, bytes, cudaMemcpyHostToDevice, stream));
    if (multiply_first) multiply<<<grid, block, 0, stream>>>(n, d_x.data(), 2);
    add<<<grid, block, 0, stream>>>(n, d_x.data(), 3);
    if (!multiply_first) multiply<<<grid, block, 0, stream>>>(n, d_x.data(), 2);
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpyAsync(result, d_x.data(), bytes, cudaMemcpyDeviceToHost, stream));
    // [/queue]

    // [open]
    lockstep::report("result, latch closed", result[0]);
    const bool too_early = result[0] != -1;
    latch.open();
    // from here on the host may read the result
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("result, stream empty", result[0]);
    // [/open]

    // [destroy]
    lockstep::check(cudaStreamDestroy(stream));
    // [/destroy]
    const std::vector<int> found(result, result + n);
    const std::vector<int> expected(n, multiply_first ? 10 * 2 + 3 : (10 + 3) * 2);
    lockstep::check(cudaFreeHost(x));
    lockstep::check(cudaFreeHost(result));
    const std::size_t wrong = lockstep::count_mismatches(found, expected);
    lockstep::report("wrong elements", wrong);
    return !latch.gave_up() && !too_early && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
