// May a kernel follow a pointer from malloc? Only where the device has pageable memory
// access (HMM or ATS). Elsewhere the kernel faults. The same kernel accepts managed
// memory everywhere.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Doubles one value.
/// @param value  one int, in memory that the GPU can reach
__global__ void twice(int* value) { *value *= 2; }
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool managed = options.choice("memory", {"malloc", "managed"}) == 1;
    options.finish();
    lockstep::require_device();

    int pageable = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    lockstep::report("pageable memory access", pageable != 0);

    // [act]
    int* value = nullptr;
    if (managed)
        lockstep::check(cudaMallocManaged(&value, sizeof(int)));
    else
        value = static_cast<int*>(std::malloc(sizeof(int)));
    *value = 21;
    twice<<<1, 1>>>(value);
    lockstep::check(cudaGetLastError());
    const cudaError_t found = cudaDeviceSynchronize();
    // [/act]
    lockstep::report("kernel ended with", cudaGetErrorName(found));
    lockstep::report("value", *value);
    const bool reachable = managed || pageable;
    const bool right = reachable ? found == cudaSuccess && *value == 42
                                 : found == cudaErrorIllegalAddress && *value == 21;
    if (!managed) std::free(value);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
