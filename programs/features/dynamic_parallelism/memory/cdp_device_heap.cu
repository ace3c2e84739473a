// What does cudaMalloc() do in a kernel? It allocates from the device heap, as malloc()
// there does: the heap has a fixed size, and its memory is freed in kernels only.

#include <cstddef>
#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What the kernels found.
struct findings {
    int* small;  ///< 1 MiB
    int small_error;  ///< what cudaMalloc() said
    int large_error;  ///< the same for 64 MiB
    int value;  ///< what a later kernel read
    int free_error;  ///< what cudaFree() said in a kernel
};

// [kernels]
/// Allocates 1 MiB and 64 MiB; one thread.
/// @param found  in device memory
__global__ void allocate(findings* found) {
    found->small_error = cudaMalloc(&found->small, std::size_t(1) << 20);
    if (found->small) *found->small = 42;
    int* large = nullptr;
    found->large_error = cudaMalloc(&large, std::size_t(64) << 20);
    if (found->large_error == cudaSuccess) cudaFree(large);
}

/// Reads what another kernel allocated, and frees it; one thread.
/// @param found  in device memory
__global__ void read_and_free(findings* found) {
    if (found->small) found->value = *found->small;
    found->free_error = cudaFree(found->small);
}
// [/kernels]

/// Frees in a kernel what the host allocated: a mistake; one thread.
/// @param p      from the host's cudaMalloc()
/// @param error  in pinned host memory, written
__global__ void free_in_kernel(int* p, volatile int* error) { *error = cudaFree(p); }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto heap_mib = options.integer<std::size_t>("heap-mib", 8, 8, 1024);
    const bool wrong_side = options.flag("free-host-memory");
    options.finish();
    lockstep::require_device();

    // [limit]
    lockstep::check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap_mib << 20));
    std::size_t heap = 0;
    lockstep::check(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    // [/limit]
    const auto name = [](int error) {
        return cudaGetErrorName(static_cast<cudaError_t>(error));
    };
    if (wrong_side) {
        int* p = nullptr;
        int* error = nullptr;
        lockstep::check(cudaMalloc(&p, 1 << 20));
        lockstep::check(cudaMallocHost(&error, sizeof *error));
        *error = -1;
        free_in_kernel<<<1, 1>>>(p, error);
        lockstep::check(cudaGetLastError());
        const cudaError_t at_end = cudaDeviceSynchronize();
        lockstep::report("cudaFree returned", *error != -1);
        if (*error != -1) lockstep::report("its result", name(*error));
        lockstep::report("host: synchronization", name(at_end));
        return EXIT_SUCCESS;
    }
    lockstep::device_buffer<findings> d_found(1);
    d_found.fill_bytes(0);
    allocate<<<1, 1>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    findings found = d_found.to_host()[0];
    const cudaError_t host_free = cudaFree(found.small);  // a mistake
    cudaGetLastError();  // and its error, cleared
    read_and_free<<<1, 1>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    found = d_found.to_host()[0];

    lockstep::report("heap", heap >> 20, "MiB");
    lockstep::report("1 MiB in a kernel", name(found.small_error));
    lockstep::report("64 MiB in a kernel", name(found.large_error));
    lockstep::report("host: cudaFree of it", name(host_free));
    lockstep::report("a later kernel reads", found.value);
    lockstep::report("and frees it", name(found.free_error));
    const bool fits = heap > std::size_t(80) << 20;
    const bool right = found.small_error == cudaSuccess && found.value == 42 &&
                       (found.large_error == cudaSuccess) == fits &&
                       host_free != cudaSuccess && found.free_error == cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
