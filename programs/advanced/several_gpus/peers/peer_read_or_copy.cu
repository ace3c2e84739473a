// Data lies on the other GPU. Should a kernel read it there, or copy it first? Read
// once, both take about as long. Read eight times, the copy pays. Where a kernel reads
// only some of the data, reading it there pays. And results that the other GPU needs:
// should the kernel store them there, or into its own memory, to be copied?

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;

// [kernel]
/// Adds up elements, several times over; blocks of block_size threads.
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

    __shared__ unsigned long long of_warps[block_size / 32];
    for (int delta = 16; delta > 0; delta /= 2)
        mine += __shfl_down_sync(0xFFFFFFFF, mine, delta);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {  // one atomic addition for each block
        unsigned long long of_block = 0;
        for (const unsigned long long of_warp : of_warps) of_block += of_warp;
        atomicAdd(sum, of_block);
    }
}
// [/kernel]

// [store]
/// Stores a result for each element.
/// @param n        number of elements
/// @param results  n elements in some device's memory, written
__global__ void store_results(std::size_t n, unsigned* results) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        results[i] = static_cast<unsigned>(i * 2654435761u);
}
// [/store]

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

    constexpr int blocks = 1056;  // 8 for each SM of an H200
    bool right = true;
    // [ways]
    const auto us = [&](bool copy_first, std::size_t stride, int passes) {
        lockstep::device_buffer<unsigned long long> sum(1);
        const auto work = [&] {
            if (copy_first)
                lockstep::check(cudaMemcpyPeerAsync(near, 0, far, 1, bytes, nullptr));
            lockstep::check(cudaMemsetAsync(sum.data(), 0, sizeof(long long)));
            add_up<<<blocks, block_size>>>(n, stride, passes, copy_first ? near : far,
                                           sum.data());
        };
        const double found = 1e3 * lockstep::time_on_device(work).median_ms;
        const unsigned long long read = (n + stride - 1) / stride;
        right = right && sum.to_host()[0] == read * passes * 0x01010101ULL;
        return lockstep::measured{found};
    };
    // [/ways]
    // [store-ways]
    const auto store_us = [&](bool copy_afterwards) {
        const auto work = [&] {
            store_results<<<blocks, block_size>>>(n, copy_afterwards ? near : far);
            if (copy_afterwards)
                lockstep::check(cudaMemcpyPeerAsync(far, 1, near, 0, bytes, nullptr));
        };
        lockstep::check(cudaMemset(far, 0xFF, bytes));
        const double found = 1e3 * lockstep::time_on_device(work).median_ms;
        std::vector<unsigned> results(n);
        lockstep::check(cudaMemcpy(results.data(), far, bytes, cudaMemcpyDeviceToHost));
        for (std::size_t i = 0; i < n; ++i)
            right = right && results[i] == static_cast<unsigned>(i * 2654435761u);
        return lockstep::measured{found};
    };
    // [/store-ways]
    lockstep::report("1 pass, at the peer", us(false, 1, 1), "us");
    lockstep::report("1 pass, after a copy", us(true, 1, 1), "us");
    lockstep::report("8 passes, at the peer", us(false, 1, 8), "us");
    lockstep::report("8 passes, after a copy", us(true, 1, 8), "us");
    lockstep::report("every 64th, at the peer", us(false, 64, 1), "us");
    lockstep::report("every 64th, after a copy", us(true, 64, 1), "us");
    lockstep::report("results stored at the peer", store_us(false), "us");
    lockstep::report("results stored, then copied", store_us(true), "us");
    lockstep::report("sums and results are right", right);
    lockstep::check(cudaFree(near));
    lockstep::check(cudaFree(far));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
