// Where does the arithmetic of an index go wrong? Products and differences of 32-bit
// numbers stay 32-bit numbers, whatever type receives them, and unsigned ones wrap
// around. Converting an operand first makes the result right.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Computes indices and sizes in wrong and right ways; one thread.
/// @param rows     65536
/// @param columns  65537
/// @param largest  the largest unsigned number, as a number of elements
/// @param found    6 numbers in device memory, written
__global__ void compute(unsigned rows, unsigned columns, unsigned largest,
                        long long* found) {
    found[0] = static_cast<std::size_t>(rows * columns);  // too late
    found[1] = static_cast<std::size_t>(rows) * columns;
    found[2] = threadIdx.x - 1;  // the left neighbor of thread 0
    found[3] = static_cast<int>(threadIdx.x) - 1;
    found[4] = (largest + 255) / 256;  // blocks of 256 threads
    found[5] = (largest - 1) / 256 + 1;  // not for 0 elements
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<long long> d_found(6);
    d_found.fill_bytes(0xFF);
    compute<<<1, 1>>>(65536, 65537, 4294967295u, d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<long long> found = d_found.to_host();

    lockstep::report("product, converted late", found[0]);
    lockstep::report("product, converted first", found[1]);
    lockstep::report("unsigned left neighbor", found[2]);
    lockstep::report("signed left neighbor", found[3]);
    lockstep::report("blocks, sum that wraps", found[4]);
    lockstep::report("blocks, no large sum", found[5]);
    const std::vector<long long> expected = {65536, 4295032832, 4294967295,
                                             -1,    0,          16777216};
    return lockstep::count_mismatches(found, expected) == 0 ? EXIT_SUCCESS
                                                            : EXIT_FAILURE;
}
