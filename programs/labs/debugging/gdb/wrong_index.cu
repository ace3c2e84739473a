// A block reverses eight numbers through shared memory, and gets them wrong. No tool
// complains: every access is inside, every barrier is there. This is a case for a
// debugger.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Reverses groups of eight numbers.
/// @param data  8 ints for each block in device memory, changed in place
__global__ void reverse(int* data) {
    __shared__ int s[8];
    const int t = threadIdx.x;
    s[t] = data[8 * blockIdx.x + t];
    __syncthreads();
    const int from = (8 - t) % 8;
    data[8 * blockIdx.x + t] = s[from];
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> data(24);
    std::vector<int> expected(24);
    for (int i = 0; i < 24; ++i) data[i] = 10 * i;
    for (int i = 0; i < 24; ++i) expected[i] = data[i / 8 * 8 + 7 - i % 8];
    lockstep::device_buffer<int> d_data(data);
    reverse<<<3, 8>>>(d_data.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_data.to_host(), expected);
    lockstep::report("wrong elements", wrong);
    return wrong == 24 ? EXIT_SUCCESS : EXIT_FAILURE;
}
