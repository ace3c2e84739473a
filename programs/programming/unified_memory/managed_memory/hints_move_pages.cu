// Where do managed pages live, and who decides? The first to touch them does, unless a
// hint says otherwise. The driver reports where a range was last prefetched to and
// which advice it holds.

#include <cstdlib>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/report.hpp>

// [kernel]
/// Writes its index into each element.
/// @param n     number of elements
/// @param data  n ints
__global__ void fill(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
}
// [/kernel]

// [ask]
/// An attribute of a range of managed memory, as the driver's number: a device, or
/// cudaCpuDeviceId.
/// @param attribute  which one
/// @param data       start of the range
/// @param bytes      its length
int range_attribute(cudaMemRangeAttribute attribute, const void* data,
                    std::size_t bytes) {
    int value = 0;
    lockstep::check(
        cudaMemRangeGetAttribute(&value, sizeof value, attribute, data, bytes));
    return value;
}
// [/ask]

/// The name of a processor as the range attributes number it.
const char* processor(int number) {
    return number == cudaCpuDeviceId       ? "CPU"
           : number == 0                   ? "GPU 0"
           : number == cudaInvalidDeviceId ? "none"
                                           : "other";
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int mib = static_cast<int>(arguments.integer("mib", 64, 1, 512));
    arguments.finish();
    lockstep::require_device();

    const int n = (mib << 20) / static_cast<int>(sizeof(int));
    const std::size_t bytes = n * sizeof(int);
    int* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const auto last_prefetch = [&] {
        return range_attribute(cudaMemRangeAttributeLastPrefetchLocation, data, bytes);
    };
    const auto preferred = [&] {
        return range_attribute(cudaMemRangeAttributePreferredLocation, data, bytes);
    };

    const int before[] = {last_prefetch(), preferred()};
    lockstep::report("last prefetch, at first", processor(before[0]));
    lockstep::report("preferred, at first", processor(before[1]));

    // [prefetch]
    fill<<<(n + 255) / 256, 256>>>(n, data);  // first touch on the GPU
    lockstep::check(cudaGetLastError());
    // home, before the CPU reads
    lockstep::check(cudaMemPrefetchAsync(data, bytes, cpu, 0, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    // [/prefetch]
    const int fetched = last_prefetch();
    lockstep::report("last prefetch, then", processor(fetched));

    // [advise]
    lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, gpu));
    lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, cpu));
    lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, gpu));
    // [/advise]
    const int home = preferred();
    const bool copies =
        range_attribute(cudaMemRangeAttributeReadMostly, data, bytes) != 0;
    lockstep::report("preferred, then", processor(home));
    lockstep::report("read by many", copies);

    bool right = true;
    for (int i = 0; i < n; ++i) right = right && data[i] == i;
    lockstep::report("values right", right);
    lockstep::check(cudaFree(data));
    const bool hints = before[0] == cudaInvalidDeviceId &&
                       before[1] == cudaInvalidDeviceId && fetched == cudaCpuDeviceId &&
                       home == 0 && copies;
    return right && hints ? EXIT_SUCCESS : EXIT_FAILURE;
}
