// In which memory is a variable? Its specifier decides. The kernel asks the hardware to
// which memory the address of each variable belongs, and the host asks the runtime.
// Values written on one side are read on the other where both can access the variable.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [variables]
__device__ int global_variable = 1;
__constant__ int constant_variable = 2;
__managed__ int managed_variable = 3;
int host_variable = 4;
// [/variables]

/// What memory_of() returns, in words.
constexpr const char* names[] = {"shared", "local", "constant", "global", "unknown"};

/// Which memory an address belongs to, as an index of `names`.
/// @param address  generic address, as a pointer holds it
__device__ int memory_of(const void* address) {
    if (__isShared(address)) return 0;
    if (__isLocal(address)) return 1;
    if (__isConstant(address)) return 2;
    return __isGlobal(address) ? 3 : 4;
}

// [kernel]
/// Classifies the variables that a kernel can access, and adds 10 to those that it can
/// write.
/// @param kinds  five numbers on the device, as memory_of() returns them
__global__ void classify(int* kinds) {
    __shared__ int shared_variable;
    int local_variable = 5;
    shared_variable = 6;

    kinds[0] = memory_of(&global_variable);
    kinds[1] = memory_of(&constant_variable);
    kinds[2] = memory_of(&managed_variable);
    kinds[3] = memory_of(&shared_variable);
    kinds[4] = memory_of(&local_variable);  // taking its address puts it into memory
    global_variable += 10;
    managed_variable += 10;
}
// [/kernel]

/// The host's view of an address.
/// @param address  any address
const char* host_view(const void* address) {
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, address));
    switch (attributes.type) {
        case cudaMemoryTypeDevice: return "device";
        case cudaMemoryTypeManaged: return "managed";
        case cudaMemoryTypeHost: return "pinned";
        default: return "ordinary";
    }
}

int main() {
    lockstep::require_device();

    // [host]
    void* global_address = nullptr;
    void* constant_address = nullptr;
    // To the host, &global_variable is the address of a shadow, not of the variable.
    lockstep::check(cudaGetSymbolAddress(&global_address, global_variable));
    lockstep::check(cudaGetSymbolAddress(&constant_address, constant_variable));
    lockstep::device_buffer<int> d_kinds(5);
    d_kinds.fill_bytes(0xFF);
    classify<<<1, 1>>>(d_kinds.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<int> kinds = d_kinds.to_host();

    int global_value = 0;
    int constant_value = 0;
    lockstep::check(cudaMemcpyFromSymbol(&global_value, global_variable, sizeof(int)));
    lockstep::check(
        cudaMemcpyFromSymbol(&constant_value, constant_variable, sizeof(int)));
    const int managed_value = managed_variable;  // an ordinary read
    // [/host]

    std::printf("declaration   device: memory  host: memory  value\n");
    std::printf("__device__    %-14s  %-12s  %d\n", names[kinds[0]],
                host_view(global_address), global_value);
    std::printf("__constant__  %-14s  %-12s  %d\n", names[kinds[1]],
                host_view(constant_address), constant_value);
    std::printf("__managed__   %-14s  %-12s  %d\n", names[kinds[2]],
                host_view(&managed_variable), managed_value);
    std::printf("__shared__    %-14s  -             -\n", names[kinds[3]]);
    std::printf("in a kernel   %-14s  -             -\n", names[kinds[4]]);
    std::printf("on the host   -               %-12s  %d\n", host_view(&host_variable),
                host_variable);

    const bool places =
        kinds[0] == 3 && kinds[2] == 3 && kinds[3] == 0 && kinds[4] == 1;
    const bool values = global_value == 11 && constant_value == 2 &&
                        managed_value == 13 && host_variable == 4;
    return places && values ? EXIT_SUCCESS : EXIT_FAILURE;
}
