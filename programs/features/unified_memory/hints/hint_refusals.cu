// Which hints does the driver refuse? Five wrong calls and what each returns. None of
// them harms the process. (Where concurrent managed access is 0, more are refused.)

#include <cstdlib>
#include <vector>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    int pageable = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    constexpr std::size_t bytes = 1 << 20;
    char* managed = nullptr;
    char* d_data = nullptr;
    lockstep::check(cudaMallocManaged(&managed, bytes));
    lockstep::check(cudaMalloc(&d_data, bytes));
    std::vector<char> host(bytes);

    // [mistakes]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation absent{cudaMemLocationTypeDevice, 99};
    const cudaError_t on_malloc =
        cudaMemAdvise(host.data(), bytes, cudaMemAdviseSetPreferredLocation, gpu);
    const cudaError_t on_device = cudaMemPrefetchAsync(d_data, bytes, gpu, 0, nullptr);
    const cudaError_t flags = cudaMemPrefetchAsync(managed, bytes, gpu, 1, nullptr);
    const cudaError_t no_device =
        cudaMemPrefetchAsync(managed, bytes, absent, 0, nullptr);
    const cudaError_t too_long =
        cudaMemPrefetchAsync(managed, std::size_t(1) << 30, gpu, 0, nullptr);
    // [/mistakes]
    const auto report = [](const char* label, cudaError_t error) {
        lockstep::report(label, cudaGetErrorName(error));
        return error != cudaSuccess;
    };
    bool refused = report("advice for malloc memory", on_malloc) || pageable;
    refused &= report("prefetch of device memory", on_device);
    refused &= report("flags other than 0", flags);
    refused &= report("a device that is not there", no_device);
    refused &= report("more than was allocated", too_long);
    int last = 0;
    lockstep::check(cudaMemRangeGetAttribute(
        &last, sizeof last, cudaMemRangeAttributeLastPrefetchLocation, managed, bytes));
    lockstep::report("no prefetch remembered", last == cudaInvalidDeviceId);
    lockstep::check(cudaFree(managed));
    lockstep::check(cudaFree(d_data));
    return refused && last == cudaInvalidDeviceId ? EXIT_SUCCESS : EXIT_FAILURE;
}
