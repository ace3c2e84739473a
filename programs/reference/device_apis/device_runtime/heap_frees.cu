// Who may free which memory? Memory of the device heap, from malloc() or cudaMalloc()
// in a kernel, is freed by free() or cudaFree() in a kernel; memory of the host's
// cudaMalloc() by the host's cudaFree(). The host's cudaFree() refuses memory of the
// heap. A kernel that frees memory of the host does not notice it: what happens then is
// undefined, so it is not tried. Each pair runs in a child process.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Allocates 64 bytes; one thread.
/// @param how  1 for malloc(), 2 for cudaMalloc()
/// @param p    a pointer in device memory, written
__global__ void allocate(int how, void** p) {
    if (how == 1) *p = malloc(64);
    if (how == 2) cudaMalloc(p, 64);
}

/// Frees; one thread.
/// @param how    1 for free(), 2 for cudaFree()
/// @param p      a pointer in device memory
/// @param error  in device memory, written: what cudaFree() returned
__global__ void release(int how, void** p, int* error) {
    if (how == 1) free(*p);
    if (how == 2) *error = cudaFree(*p);
}
// [/kernels]

/// Allocates and frees once.
/// @param allocated  0 on the host, else as in allocate()
/// @param freed      0 on the host, else as in release()
/// @return the error
cudaError_t try_pair(int allocated, int freed) {
    void* p = nullptr;
    lockstep::device_buffer<void*> d_p(1);
    lockstep::device_buffer<int> d_error(1);
    d_error.fill_bytes(0);
    if (allocated == 0) {
        lockstep::check(cudaMalloc(&p, 64));
        lockstep::check(cudaMemcpy(d_p.data(), &p, sizeof p, cudaMemcpyHostToDevice));
    } else {
        allocate<<<1, 1>>>(allocated, d_p.data());
        lockstep::check(cudaGetLastError());
        p = d_p.to_host()[0];
    }
    if (freed == 0) return cudaFree(p);
    release<<<1, 1>>>(freed, d_p.data(), d_error.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t fault = cudaDeviceSynchronize();
    if (fault != cudaSuccess) return fault;
    return static_cast<cudaError_t>(d_error.to_host()[0]);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int pair = options.integer("pair", -1, -1, 8);
    options.finish();
    lockstep::require_device();

    if (pair >= 0) {  // in a child process
        std::printf("%s", cudaGetErrorName(try_pair(pair / 3, pair % 3)));
        return EXIT_SUCCESS;
    }
    const char* allocations[] = {"cudaMalloc, host", "malloc, kernel",
                                 "cudaMalloc, kernel"};
    std::printf("%-22s%-25s%-25s%s\n", "", "cudaFree, host", "free, kernel",
                "cudaFree, kernel");
    bool right = true;
    for (int allocated = 0; allocated < 3; ++allocated) {
        std::printf("%-22s", allocations[allocated]);
        for (int freed = 0; freed < 3; ++freed) {
            if (allocated == 0 && freed != 0) {
                std::printf(freed < 2 ? "%-25s" : "%s\n", "undefined");
                continue;
            }
            // [pair]
            const std::string error = lockstep::output_of(
                argv[0], "--pair " + std::to_string(3 * allocated + freed));
            const bool same_side = (allocated == 0) == (freed == 0);
            right = right && (error == "cudaSuccess") == same_side;
            // [/pair]
            std::printf(freed < 2 ? "%-25s" : "%s\n", error.c_str());
        }
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
