// Does an address say whose memory it is? Yes: host and GPUs share one virtual address
// space, and the driver knows which range belongs to whom. The program makes memory in
// six ways and asks about each.

#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [variables]
__device__ int device_variable;
__managed__ int managed_variable;
// [/variables]

// [ask]
/// Whose memory an address is, by the driver's word.
/// @param address  any address
const char* owner(const void* address) {
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, address));
    switch (attributes.type) {
        case cudaMemoryTypeHost: return "host, page-locked";
        case cudaMemoryTypeDevice: return "device";
        case cudaMemoryTypeManaged: return "managed";
        default: return "unregistered";
    }
}
// [/ask]

int main() {
    lockstep::require_device();

    // [allocate]
    void* plain = std::malloc(1024);
    void* pinned = nullptr;
    void* device = nullptr;
    void* managed = nullptr;
    void* variable = nullptr;
    lockstep::check(cudaMallocHost(&pinned, 1024));
    lockstep::check(cudaMalloc(&device, 1024));
    lockstep::check(cudaMallocManaged(&managed, 1024));
    lockstep::check(cudaGetSymbolAddress(&variable, device_variable));
    // [/allocate]
    lockstep::report("malloc", owner(plain));
    lockstep::report("cudaMallocHost", owner(pinned));
    lockstep::report("cudaMalloc", owner(device));
    lockstep::report("cudaMallocManaged", owner(managed));
    lockstep::report("__device__ variable", owner(variable));
    lockstep::report("__managed__ variable", owner(&managed_variable));

    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, device));
    const bool right =
        attributes.type == cudaMemoryTypeDevice && attributes.device == 0;
    std::free(plain);
    lockstep::check(cudaFreeHost(pinned));
    lockstep::check(cudaFree(device));
    lockstep::check(cudaFree(managed));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
