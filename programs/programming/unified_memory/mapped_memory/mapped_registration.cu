// What about a buffer that another library allocated? cudaHostRegister locks and maps
// it where it is. The portable way into a kernel is the pointer from
// cudaHostGetDevicePointer; whether the host's own pointer works too is a device
// attribute.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds one to every element.
/// @param n     number of elements
/// @param data  n ints that the GPU can reach
__global__ void increment(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 10'000, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    std::vector<int> data(n, 1);
    const std::size_t bytes = n * sizeof(int);
    // [register]
    lockstep::check(cudaHostRegister(data.data(), bytes, cudaHostRegisterMapped));
    int* d_data = nullptr;
    lockstep::check(cudaHostGetDevicePointer(&d_data, data.data(), 0));
    increment<<<(n + 255) / 256, 256>>>(n, d_data);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/register]

    // [attribute]
    int same = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&same, cudaDevAttrCanUseHostPointerForRegisteredMem, 0));
    if (same) {
        increment<<<(n + 255) / 256, 256>>>(n, data.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    }
    // [/attribute]

    // [twice]
    const cudaError_t again =
        cudaHostRegister(data.data(), bytes, cudaHostRegisterMapped);
    cudaGetLastError();  // clears the error; `again` keeps it
    lockstep::check(cudaHostUnregister(data.data()));
    const cudaError_t gone = cudaHostUnregister(data.data());
    cudaGetLastError();  // likewise
    // [/twice]
    lockstep::report("host pointer may be used", same != 0);
    lockstep::report("both pointers are equal", d_data == data.data());
    lockstep::report("every element", data[0]);
    lockstep::report("registering twice", cudaGetErrorName(again));
    lockstep::report("unregistering twice", cudaGetErrorName(gone));

    bool right = again == cudaErrorHostMemoryAlreadyRegistered &&
                 gone == cudaErrorHostMemoryNotRegistered;
    for (const int value : data) right = right && value == (same ? 3 : 2);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
