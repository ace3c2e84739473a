// Which memory can be handed to another process? CUDA IPC makes a handle of memory from
// cudaMalloc, and refuses managed memory. cuMemCreate makes memory that can be exported
// as a file descriptor. Managed memory has no such handle.

#include <unistd.h>

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

__managed__ int managed_variable = 1;

int main() {
    lockstep::require_device();
    constexpr std::size_t bytes = std::size_t(2) << 20;
    void* d_data = nullptr;
    void* managed = nullptr;
    void* pinned = nullptr;
    lockstep::check(cudaMalloc(&d_data, bytes));
    lockstep::check(cudaMallocManaged(&managed, bytes));
    lockstep::check(cudaMallocHost(&pinned, bytes));

    // [ipc]
    const auto ask = [](const char* label, void* data) {
        cudaIpcMemHandle_t handle{};
        const cudaError_t error = cudaIpcGetMemHandle(&handle, data);
        lockstep::report(label, cudaGetErrorName(error));
        return error;
    };
    const cudaError_t of_device = ask("cudaMalloc", d_data);
    const cudaError_t of_managed = ask("cudaMallocManaged", managed);
    const cudaError_t of_variable = ask("__managed__ variable", &managed_variable);
    const cudaError_t of_pinned = ask("cudaMallocHost", pinned);
    // [/ipc]

    // [export]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    CUmemGenericAllocationHandle memory{};
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    int file = -1;
    const CUresult exported = cuMemExportToShareableHandle(
        &file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    // [/export]
    lockstep::report("cuMemCreate, exported", lockstep::name_of(exported));
    if (exported == CUDA_SUCCESS) close(file);
    lockstep::check(cuMemRelease(memory));
    lockstep::check(cudaFree(d_data));
    lockstep::check(cudaFree(managed));
    lockstep::check(cudaFreeHost(pinned));
    const bool refused = of_managed != cudaSuccess && of_variable != cudaSuccess &&
                         of_pinned != cudaSuccess;
    return of_device == cudaSuccess && refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
