// What does a kernel cost under each of the four tools of compute-sanitizer? The
// program times its kernel itself, alone and under each tool.

#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [kernel]
/// Each element becomes the sum of itself and its right neighbor in the block, through
/// shared memory.
/// @param data  ints in device memory, one for each thread, changed in place
__global__ void add_neighbor(int* data) {
    __shared__ int words[block_size + 1];
    const int i = blockIdx.x * block_size + threadIdx.x;
    words[threadIdx.x] = data[i];
    if (threadIdx.x == 0) words[block_size] = 0;
    __syncthreads();
    data[i] = words[threadIdx.x] + words[threadIdx.x + 1];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 4096, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    const int n = blocks * block_size;
    lockstep::device_buffer<int> data(std::vector<int>(n, 1));
    add_neighbor<<<blocks, block_size>>>(data.data());
    lockstep::check(cudaGetLastError());
    std::vector<int> expected(n, 2);
    for (int i = block_size - 1; i < n; i += block_size) expected[i] = 1;
    const bool right = lockstep::count_mismatches(data.to_host(), expected) == 0;
    const double ms = lockstep::time_back_to_back(
                          [&] { add_neighbor<<<blocks, block_size>>>(data.data()); }, 5)
                          .median_ms;
    lockstep::report("kernel", lockstep::measured{1e3 * ms}, "us");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
