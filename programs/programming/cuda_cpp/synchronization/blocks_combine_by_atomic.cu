// How do blocks combine their results, although no barrier spans them? Each block adds
// up its own part, with barriers of its own, and then one of its threads adds that sum
// to a total, with an atomic operation. No block waits for another.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [kernel]
/// Adds up an array.
/// @param n      number of elements
/// @param data   n ints in device memory
/// @param total  one number in device memory, 0 at first
__global__ void sum(int n, const int* data, unsigned long long* total) {
    __shared__ int parts[block_size];
    const int i = blockIdx.x * block_size + threadIdx.x;
    parts[threadIdx.x] = i < n ? data[i] : 0;
    for (int width = block_size / 2; width > 0; width /= 2) {
        __syncthreads();  // the sums of the round before are complete
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    }
    if (threadIdx.x == 0) atomicAdd(total, parts[0]);  // one addition for each block
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    std::vector<int> data(n);
    unsigned long long expected = 0;
    for (int i = 0; i < n; ++i) {
        data[i] = i % 1000;
        expected += data[i];
    }
    const lockstep::device_buffer<int> d_data(data);
    lockstep::device_buffer<unsigned long long> d_total(
        std::vector<unsigned long long>{0});
    // [launch]
    const int blocks = (n + block_size - 1) / block_size;
    sum<<<blocks, block_size>>>(n, d_data.data(), d_total.data());
    lockstep::check(cudaGetLastError());
    // [/launch]
    const unsigned long long total = d_total.to_host()[0];
    lockstep::report("elements", n);
    lockstep::report("blocks", blocks);
    lockstep::report("sum", total);
    lockstep::report("equal to the CPU's", total == expected);
    return total == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
