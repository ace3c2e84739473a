// Which memory has a legacy IPC handle, and how does a program ask without an error? It
// asks the driver for an attribute of the pointer, and then tries, for seven
// pointers.

#include <cstdio>
#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = std::size_t(2) << 20;

__device__ int variable[1 << 19];

// [ask]
/// Asks whether a pointer has a handle, and tries to make one.
/// @return whether the answer and the outcome agree
bool ask(const char* label, void* x) {
    unsigned capable = 0;
    const CUresult asked =
        cuPointerGetAttribute(&capable, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                              reinterpret_cast<CUdeviceptr>(x));
    if (asked != CUDA_SUCCESS) capable = 0;  // no answer counts as no
    cudaIpcMemHandle_t handle{};
    const cudaError_t tried = cudaIpcGetMemHandle(&handle, x);
    cudaGetLastError();  // forget it
    char outcome[80];
    std::snprintf(outcome, sizeof outcome, "%-5s %s", capable ? "yes" : "no",
                  cudaGetErrorName(tried));
    lockstep::report(label, outcome);
    return (capable != 0) == (tried == cudaSuccess);
}
// [/ask]

int main() {
    lockstep::require_device();
    void* linear = nullptr;
    void* ordered = nullptr;
    void* symbol = nullptr;
    void* managed = nullptr;
    void* pinned = nullptr;
    lockstep::check(cudaMalloc(&linear, bytes));
    lockstep::check(cudaMallocManaged(&managed, bytes));
    lockstep::check(cudaMallocHost(&pinned, bytes));
    lockstep::check(cudaMallocAsync(&ordered, bytes, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    lockstep::check(cudaGetSymbolAddress(&symbol, variable));

    // [virtual]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemGenericAllocationHandle memory{};
    CUdeviceptr mapped = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    lockstep::check(cuMemAddressReserve(&mapped, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(mapped, bytes, 0, memory, 0));
    // [/virtual]

    int agree = 0;
    lockstep::report("memory", "asked tried");
    const bool linear_agrees = ask("cudaMalloc", linear);
    agree += linear_agrees;
    agree += ask("cudaMalloc, 1 MiB further", static_cast<char*>(linear) + (1 << 20));
    agree += ask("__device__ variable", symbol);
    agree += ask("cudaMallocAsync", ordered);
    agree += ask("cuMemMap", reinterpret_cast<void*>(mapped));
    agree += ask("cudaMallocManaged", managed);
    agree += ask("cudaMallocHost", pinned);
    lockstep::report("answers that were right", agree);

    lockstep::check(cuMemUnmap(mapped, bytes));
    lockstep::check(cuMemAddressFree(mapped, bytes));
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cudaFreeAsync(ordered, nullptr));
    lockstep::check(cudaFreeHost(pinned));
    lockstep::check(cudaFree(managed));
    lockstep::check(cudaFree(linear));
    return linear_agrees ? EXIT_SUCCESS : EXIT_FAILURE;
}
