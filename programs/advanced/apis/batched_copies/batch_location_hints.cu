// A copy between managed pointers says nothing about where the bytes are, or where they
// should be. In a batch it can: from the device, to the host's memory.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes i into element i.
/// @param n  number of elements
/// @param x  n ints in managed memory, written
__global__ void count(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(int);
    int* source = nullptr;
    int* target = nullptr;
    lockstep::check(cudaMallocManaged(&source, bytes));
    lockstep::check(cudaMallocManaged(&target, bytes));
    count<<<(n + 255) / 256, 256>>>(n, source);  // the pages are on the device now
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    // [batch]
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes.srcLocHint = {cudaMemLocationTypeDevice, 0};
    attributes.dstLocHint = {cudaMemLocationTypeHostNuma, 0};
    attributes.flags = cudaMemcpyFlagDefault;
    void* to[] = {target};
    const void* from[] = {source};
    const std::size_t sizes[] = {bytes};
    std::size_t first = 0;
    lockstep::check(
        cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, &first, 1, stream));
    // [/batch]
    lockstep::check(cudaStreamSynchronize(stream));

    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += target[i] != i;
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFree(source));
    lockstep::check(cudaFree(target));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
