// Memory that is allocated and freed in stream order: the host does not wait, and the
// second allocation can reuse the memory of the first.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes a number into each element.
/// @param n       number of elements
/// @param x       n ints in device memory, written
/// @param number  what is written
__global__ void fill(int n, int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = number;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    std::vector<int> host(n);
    // [order]
    int* first = nullptr;
    int* second = nullptr;
    lockstep::check(cudaMallocAsync(&first, n * sizeof(int), stream));
    fill<<<(n + 255) / 256, 256, 0, stream>>>(n, first, 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaFreeAsync(first, stream));  // once the kernel is done
    lockstep::check(cudaMallocAsync(&second, n * sizeof(int), stream));
    fill<<<(n + 255) / 256, 256, 0, stream>>>(n, second, 2);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemcpyAsync(host.data(), second, n * sizeof(int),
                                    cudaMemcpyDefault, stream));
    lockstep::check(cudaFreeAsync(second, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/order]
    const std::size_t wrong = lockstep::count_mismatches(host, std::vector<int>(n, 2));
    lockstep::report("wrong elements", wrong);
    lockstep::report("same address again", first == second);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
