// Data lies on the other GPU. Should a kernel read it there, or copy it first? Read
// once, both take about as long. Read eight times, the copy pays. Where a kernel reads
// only some of the data, reading it there pays.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// Adds up elements, several times over.
/// @param n       number of elements
/// @param stride  one element of this many is read
/// @param passes  how many times
/// @param data    n elements in some device's memory
/// @param sum     one number in memory of the device that runs the kernel, increased
__global__ void add_up(std::size_t n, std::size_t stride, int passes,
                       const unsigned* data, unsigned long long* sum) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x * stride;
    const std::size_t first =
        (blockIdx.x * std::size_t(blockDim.x) + threadIdx.x) * stride;
    unsigned long long mine = 0;
    for (int pass = 0; pass < passes; ++pass)
#pragma unroll 8
        for (std::size_t i = first; i < n; i += step) mine += data[i];
    atomicAdd(sum, mine);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", 1 << 26, 1, 1 << 28);
    options.finish();
    lockstep::require_device(0, 2);

    const std::size_t bytes = n * sizeof(unsigned);
    unsigned* far = nullptr;
    unsigned* near = nullptr;
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaMalloc(&far, bytes));
    lockstep::check(cudaMemset(far, 1, bytes));  // each element is 0x01010101
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaSetDevice(0));
    lockstep::check(cudaMalloc(&near, bytes));
    lockstep::check(cudaDeviceEnablePeerAccess(1, 0));

    bool right = true;
    // [ways]
    const auto us = [&](bool copy_first, std::size_t stride, int passes) {
        lockstep::device_buffer<unsigned long long> sum(1);
        const auto work = [&] {
            if (copy_first)
                lockstep::check(cudaMemcpyPeerAsync(near, 0, far, 1, bytes, nullptr));
            lockstep::check(cudaMemsetAsync(sum.data(), 0, sizeof(long long)));
            constexpr int blocks = 1056;  // 8 for each SM of an H200
            add_up<<<blocks, 512>>>(n, stride, passes, copy_first ? near : far,
                                    sum.data());
        };
        const double found = 1e3 * lockstep::time_on_device(work).median_ms;
        const unsigned long long read = (n + stride - 1) / stride;
        right = right && sum.to_host()[0] == read * passes * 0x01010101ULL;
        return lockstep::measured{found};
    };
    // [/ways]
    lockstep::report("1 pass, at the peer", us(false, 1, 1), "us");
    lockstep::report("1 pass, after a copy", us(true, 1, 1), "us");
    lockstep::report("8 passes, at the peer", us(false, 1, 8), "us");
    lockstep::report("8 passes, after a copy", us(true, 1, 8), "us");
    lockstep::report("every 64th, at the peer", us(false, 64, 1), "us");
    lockstep::report("every 64th, after a copy", us(true, 64, 1), "us");
    lockstep::report("sums are right", right);
    lockstep::check(cudaFree(near));
    lockstep::check(cudaFree(far));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
