// What happens if a kernel reads memory that its stream has freed before? Perhaps
// nothing: the pool still holds the memory, and the old words are there. After a
// synchronization the pool may have given it back, and the same kernel faults.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores a number.
/// @param x       one int in device memory, written
/// @param number  the number
__global__ void store(int* x, int number) { *x = number; }

/// Copies a number.
/// @param from  one int in device memory
/// @param to    one int in device memory, written
__global__ void fetch(const int* from, int* to) { *to = *from; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { before, after, much_later };
    const int when = options.choice("fetch", {"before", "after", "much-later"});
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> d_found(1);
    d_found.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [act]
    int* x = nullptr;
    lockstep::check(cudaMallocAsync(&x, 64 << 20, stream));
    store<<<1, 1, 0, stream>>>(x, 42);
    if (when == before) fetch<<<1, 1, 0, stream>>>(x, d_found.data());
    lockstep::check(cudaFreeAsync(x, stream));
    if (when == after) fetch<<<1, 1, 0, stream>>>(x, d_found.data());
    lockstep::check(cudaStreamSynchronize(stream));
    if (when == much_later) fetch<<<1, 1, 0, stream>>>(x, d_found.data());
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    // [/act]
    lockstep::report("error", cudaGetErrorName(error));
    if (when == much_later)
        return error == cudaErrorIllegalAddress ? EXIT_SUCCESS : EXIT_FAILURE;

    lockstep::check(error);
    const int found = d_found.to_host()[0];
    lockstep::report("found", found);
    return found == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
