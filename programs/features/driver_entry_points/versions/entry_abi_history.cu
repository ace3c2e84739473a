// Which versions of a driver function are there? The lookup tells: asked with each CUDA
// version in turn, it returns another address from each version on in which the
// function changed. The lines show these versions.

#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [sweep]
/// The CUDA versions at which the lookup of a function begins to return another
/// address.
/// @param name    the function, without a version
/// @param newest  the driver's version: the lookup refuses newer ones
std::vector<int> versions_of(const char* name, int newest) {
    std::vector<int> found;
    void* before = nullptr;
    for (int version = 2000; version <= newest; version += 10) {
        void* address = nullptr;
        cudaDriverEntryPointQueryResult status{};
        const cudaError_t error = cudaGetDriverEntryPointByVersion(
            name, &address, static_cast<unsigned>(version), cudaEnableLegacyStream,
            &status);
        if (error != cudaSuccess || status != cudaDriverEntryPointSuccess)
            address = nullptr;  // this version has no such function
        if (address && address != before) found.push_back(version);
        before = address;
    }
    cudaGetLastError();  // in case that a lookup was refused
    return found;
}
// [/sweep]

int main() {
    lockstep::require_device();
    int driver = 0;
    lockstep::check(cudaDriverGetVersion(&driver));

    const char* names[] = {"cuMemAlloc",           "cuCtxCreate",
                           "cuStreamBeginCapture", "cuStreamGetCaptureInfo",
                           "cuDeviceGetUuid",      "cuMemcpyBatchAsync"};
    bool right = true;
    for (const char* name : names) {
        const std::vector<int> versions = versions_of(name, driver);
        std::string line;
        for (const int version : versions) line += std::to_string(version) + "  ";
        if (!line.empty()) line.resize(line.size() - 2);
        lockstep::report(name, line.c_str());
        right = right && !versions.empty();
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
