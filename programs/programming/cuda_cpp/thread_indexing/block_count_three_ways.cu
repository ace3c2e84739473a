// How many blocks cover n elements? n / 256 forgets the rest. Adding 255 first rounds
// up, and so does cuda::ceil_div. Near the largest int the addition overflows, where
// cuda::ceil_div does not.

#include <climits>
#include <cstdlib>

#include <cuda/cmath>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes 1 to every element.
/// @param n     number of elements
/// @param data  n ints in device memory
__global__ void fill(int n, int* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = 1;
}
// [/kernel]

/// Elements that a launch with so many blocks leaves alone.
int untouched_by(int blocks, int block_size, int n) {
    lockstep::device_buffer<int> d_data(n);
    d_data.fill_bytes(0);
    fill<<<blocks, block_size>>>(n, d_data.data());
    lockstep::check(cudaGetLastError());
    int untouched = 0;
    for (const int value : d_data.to_host()) untouched += value == 0;
    return untouched;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1000, 256, 1 << 24);
    options.finish();
    lockstep::require_device();

    // [three-ways]
    constexpr int block_size = 256;
    const int truncated = n / block_size;
    const int rounded_up = (n + block_size - 1) / block_size;
    const int by_library = cuda::ceil_div(n, block_size);
    // [/three-ways]
    const int missed[] = {untouched_by(truncated, block_size, n),
                          untouched_by(rounded_up, block_size, n),
                          untouched_by(by_library, block_size, n)};
    lockstep::report("elements", n);
    lockstep::report("blocks, n / 256", truncated);
    lockstep::report("untouched elements", missed[0]);
    lockstep::report("blocks, (n + 255) / 256", rounded_up);
    lockstep::report("untouched elements", missed[1]);
    lockstep::report("blocks, cuda::ceil_div", by_library);
    lockstep::report("untouched elements", missed[2]);

    // [overflow]
    // as the int addition would wrap
    const unsigned wrapped = static_cast<unsigned>(INT_MAX) + block_size - 1;
    const int of_sum = static_cast<int>(wrapped) / block_size;
    const int of_library = cuda::ceil_div(INT_MAX, block_size);
    // [/overflow]
    lockstep::report("blocks for 2^31-1, wrapped", of_sum);
    lockstep::report("blocks for 2^31-1, ceil_div", of_library);
    const bool right = missed[0] == n % block_size && missed[1] == 0 &&
                       missed[2] == 0 && of_library == 1 << 23;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
