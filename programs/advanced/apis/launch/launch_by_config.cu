// The execution configuration of a launch has four places. cudaLaunchKernelEx takes the
// same four, and attributes, for which <<<...>>> has no place. Here one kernel is
// launched with each, and both launches do the same.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Reverses each block's part of an array through shared memory.
/// @param data  one int for each thread in device memory, changed in place
__global__ void reverse(int* data) {
    extern __shared__ int words[];  // as many ints as the launch asks for
    int* mine = data + blockIdx.x * blockDim.x;
    words[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 100, 1, 100'000);
    options.finish();
    lockstep::require_device();

    constexpr int threads = 256;
    std::vector<int> data(blocks * threads);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
    lockstep::device_buffer<int> one(data);
    lockstep::device_buffer<int> other(data);
    const lockstep::owned_stream stream;
    lockstep::check(cudaDeviceSynchronize());

    // [execution-configuration]
    reverse<<<blocks, threads, threads * sizeof(int), stream>>>(one.data());
    lockstep::check(cudaGetLastError());
    // [/execution-configuration]

    // [config]
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = threads * sizeof(int);
    config.stream = stream;
    cudaLaunchAttribute attribute{};  // prefer a large L1 cache to much shared memory
    attribute.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attribute.val.sharedMemCarveout = cudaSharedmemCarveoutMaxL1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    lockstep::check(cudaLaunchKernelEx(&config, reverse, other.data()));
    // [/config]
    lockstep::check(cudaStreamSynchronize(stream));

    const std::size_t different =
        lockstep::count_mismatches(other.to_host(), one.to_host());
    const bool reversed = one.to_host()[0] == threads - 1;
    lockstep::report("reversed", reversed);
    lockstep::report("elements that differ", different);
    return reversed && different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
