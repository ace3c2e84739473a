// What happens without the bounds check? 1000 elements need four blocks of 256 threads,
// and 24 threads have no element. Unchecked, they write beyond the array, over whatever
// lies there. Here a guard zone lies there, and the program counts what was
// overwritten.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [checked]
/// Writes 1 to every element.
/// @param n     number of elements
/// @param data  n ints in device memory
__global__ void fill_checked(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = 1;
}
// [/checked]

// [unchecked]
/// Writes 1 to every element, and on beyond them: the check is missing.
/// @param data  ints in device memory, one for each thread launched
__global__ void fill_unchecked(int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = 1;
}
// [/unchecked]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1000, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    const int blocks = (n + block_size - 1) / block_size;
    // [guard-zone]
    constexpr int canary = -7;
    // the array and a guard zone after it
    const std::vector<int> untouched(n + block_size, canary);
    lockstep::device_buffer<int> d_checked(untouched);
    lockstep::device_buffer<int> d_unchecked(untouched);
    fill_checked<<<blocks, block_size>>>(n, d_checked.data());
    lockstep::check(cudaGetLastError());
    fill_unchecked<<<blocks, block_size>>>(d_unchecked.data());
    lockstep::check(cudaGetLastError());
    // [/guard-zone]

    const auto overwritten = [n](const std::vector<int>& data) {
        int count = 0;
        for (std::size_t i = n; i < data.size(); ++i) count += data[i] != canary;
        return count;
    };
    const std::vector<int> checked = d_checked.to_host();
    const std::vector<int> unchecked = d_unchecked.to_host();
    bool filled = true;
    for (int i = 0; i < n; ++i) filled = filled && checked[i] == 1 && unchecked[i] == 1;
    const int spare = blocks * block_size - n;
    lockstep::report("elements", n);
    lockstep::report("threads", blocks * block_size);
    lockstep::report("overwritten, checked", overwritten(checked));
    lockstep::report("overwritten, unchecked", overwritten(unchecked));
    return filled && overwritten(checked) == 0 && overwritten(unchecked) == spare
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
