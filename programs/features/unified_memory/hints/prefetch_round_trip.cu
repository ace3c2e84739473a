// How does a program tell the driver where data is needed next? With a prefetch, in
// stream order: to the GPU before the kernel, back to the CPU after it. The driver
// remembers where the last one went. The result is the same without them.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds its index to each element.
/// @param n     number of elements
/// @param data  n values in managed memory
__global__ void add_index(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += i;
}

/// Where the last prefetch of a range went.
/// @param data   start of the range, in managed memory
/// @param bytes  its length
const char* last_place(const int* data, std::size_t bytes) {
    // [ask]
    int place = 0;
    lockstep::check(cudaMemRangeGetAttribute(
        &place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, data, bytes));
    // [/ask]
    return place == cudaCpuDeviceId       ? "CPU"
           : place == cudaInvalidDeviceId ? "nowhere"
                                          : "GPU";
}

int main() {
    lockstep::require_device();
    constexpr int n = 1 << 20;
    constexpr std::size_t bytes = n * sizeof(int);
    int* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    const lockstep::owned_stream stream;
    // [round-trip]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};  // the number is ignored
    for (int i = 0; i < n; ++i) data[i] = 1;
    lockstep::report("after the CPU's writes", last_place(data, bytes));
    lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, stream));
    lockstep::report("after the first prefetch", last_place(data, bytes));
    add_index<<<n / 256, 256, 0, stream>>>(n, data);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemPrefetchAsync(data, bytes, cpu, 0, stream));
    lockstep::report("after the second prefetch", last_place(data, bytes));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/round-trip]
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && data[i] == i + 1;
    lockstep::report("values right", right);
    lockstep::check(cudaFree(data));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
