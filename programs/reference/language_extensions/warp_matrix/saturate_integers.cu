// What does the last argument of mma_sync change? Of integer matrices, it clamps sums
// to the range of int, where they would wrap around without it. Each element of the
// product adds 16 * 100 * 100 to an accumulator that is 100 below the largest int.

#include <climits>
#include <cstdlib>
#include <vector>

#include <mma.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace wmma = nvcuda::wmma;

// [kernel]
/// One warp, twice: without and with saturation.
/// @param d  2 * 256 ints in device memory
__global__ void overflow(int* d) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c, wrapped, clamped;
    wmma::fill_fragment(a, static_cast<signed char>(100));
    wmma::fill_fragment(b, static_cast<signed char>(100));
    wmma::fill_fragment(c, INT_MAX - 100);
    wmma::mma_sync(wrapped, a, b, c);
    wmma::mma_sync(clamped, a, b, c, true);
    wmma::store_matrix_sync(d, wrapped, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(d + 256, clamped, 16, wmma::mem_row_major);
}
// [/kernel]

int main() {
    lockstep::require_device(75);

    lockstep::device_buffer<int> d_d(512);
    d_d.fill_bytes(0);
    overflow<<<1, 32>>>(d_d.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> d = d_d.to_host();
    lockstep::report("largest int", INT_MAX);
    lockstep::report("without saturation", d[0]);
    lockstep::report("with saturation", d[256]);
    constexpr int wrapped = static_cast<int>(INT_MAX - 100u + 160'000u);
    bool right = true;
    for (int i = 0; i < 256; ++i)
        right = right && d[i] == wrapped && d[256 + i] == INT_MAX;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
