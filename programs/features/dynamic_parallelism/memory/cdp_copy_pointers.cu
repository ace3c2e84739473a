// May a copy in a kernel read from or write to shared or local memory? No: a kernel
// copies one int between two places by cudaMemcpyAsync(), and its result says it. The
// host looks whether the copy arrived, and whether anything failed later.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

enum place { global, shared, local };

// [kernel]
/// Copies an int; one thread.
/// @param from    where the source is, which holds 42
/// @param to      where the target is
/// @param buffer  three ints in device memory: a source, a target, and the error that
///                the copy returned
__global__ void copy(place from, place to, int* buffer) {
    __shared__ int in_shared[2];
    int in_local[2] = {42, 0};
    in_shared[0] = buffer[0] = 42;
    int* const places[] = {buffer, in_shared, in_local};
    buffer[2] = cudaMemcpyAsync(places[to] + 1, places[from], sizeof(int),
                                cudaMemcpyDeviceToDevice, nullptr);
    cudaGetLastError();  // cleared: buffer[2] keeps the status
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::vector<const char*> words = {"global", "shared", "local"};
    const int from = options.choice("from", words);
    const int to = options.choice("to", words);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_buffer(std::vector<int>{-1, -1, -1});
    copy<<<1, 1>>>(static_cast<place>(from), static_cast<place>(to), d_buffer.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t end = cudaDeviceSynchronize();
    lockstep::report("host: synchronization", cudaGetErrorName(end));
    const bool plain = from == global && to == global;
    if (end != cudaSuccess) return plain ? EXIT_FAILURE : EXIT_SUCCESS;

    const std::vector<int> buffer = d_buffer.to_host();
    lockstep::report("cudaMemcpyAsync in kernel",
                     cudaGetErrorName(static_cast<cudaError_t>(buffer[2])));
    lockstep::report("42 arrived in global memory", buffer[1] == 42);
    const bool right = buffer[2] == cudaSuccess && buffer[1] == 42;
    return plain && !right ? EXIT_FAILURE : EXIT_SUCCESS;
}
