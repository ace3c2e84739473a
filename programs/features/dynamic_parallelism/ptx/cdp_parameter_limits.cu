// How many bytes of arguments may a launch from a kernel have, and what does one
// without any need? The guide allows 4 KiB, and 8 bytes more worked as well. A child
// without parameters takes a null pointer in place of the buffer.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// An argument of a given size.
/// @tparam Bytes  its size
template <int Bytes>
struct block {
    int values[Bytes / 4];
};

__device__ int runs = 0;

// [children]
/// Stores the last value of a large argument; one thread.
/// @tparam Bytes  size of the argument; that of the pointer is added
/// @param to      an int in device memory, written
/// @param large   the argument
template <int Bytes>
__global__ void with_arguments(int* to, block<Bytes> large) {
    *to = large.values[Bytes / 4 - 1];
}

/// Counts its runs; has no parameter; one thread.
__global__ void without() { ++runs; }
// [/children]

// [parents]
/// Launches a child with a large argument; one thread.
/// @tparam Bytes  size of the argument
/// @param to      for the child
/// @param error   an int in device memory: what the launch gave
template <int Bytes>
__global__ void parent(int* to, int* error) {
    block<Bytes> large;
    for (int i = 0; i < Bytes / 4; ++i) large.values[i] = i;
    with_arguments<Bytes><<<1, 1>>>(to, large);
    *error = cudaGetLastError();
}

/// Launches the child without parameters, with no buffer; one thread.
/// @param error  an int in device memory: what the launch returned
__global__ void parent_without(int* error) {
    *error = cudaLaunchDevice(reinterpret_cast<void*>(without), nullptr, dim3(1),
                              dim3(1), 0, nullptr);
    cudaGetLastError();  // cleared: *error keeps the status
}
// [/parents]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool more = options.flag("more");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> d_last(3), d_errors(3);
    d_last.fill_bytes(0xFF);
    d_errors.fill_bytes(0xFF);
    if (more) {
        parent<4096><<<1, 1>>>(d_last.data(), d_errors.data());
        lockstep::check(cudaGetLastError());
        const cudaError_t end = cudaDeviceSynchronize();
        lockstep::report("host: synchronization", cudaGetErrorName(end));
        if (end != cudaSuccess) return EXIT_SUCCESS;
        const auto error = static_cast<cudaError_t>(d_errors.to_host()[0]);
        lockstep::report("4104 bytes: launch", cudaGetErrorName(error));
        lockstep::report("4104 bytes: child ran", d_last.to_host()[0] == 1023);
        return EXIT_SUCCESS;
    }
    // [launches]
    constexpr int most = 4096 - sizeof(int*);
    parent<1016><<<1, 1>>>(d_last.data(), d_errors.data());
    lockstep::check(cudaGetLastError());
    parent<most><<<1, 1>>>(d_last.data() + 1, d_errors.data() + 1);
    lockstep::check(cudaGetLastError());
    parent_without<<<1, 1>>>(d_errors.data() + 2);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/launches]
    const std::vector<int> last = d_last.to_host(), errors = d_errors.to_host();
    int ran = 0;
    lockstep::check(cudaMemcpyFromSymbol(&ran, runs, sizeof ran));

    const bool small = last[0] == 1016 / 4 - 1, large = last[1] == most / 4 - 1;
    const auto name = [&](int i) {
        return cudaGetErrorName(static_cast<cudaError_t>(errors[i]));
    };
    lockstep::report("1024 bytes: launch", name(0));
    lockstep::report("1024 bytes: value right", small);
    lockstep::report("4096 bytes: launch", name(1));
    lockstep::report("4096 bytes: value right", large);
    lockstep::report("no parameter: launch", name(2));
    lockstep::report("no parameter: children ran", ran);
    return small && large ? EXIT_SUCCESS : EXIT_FAILURE;
}
