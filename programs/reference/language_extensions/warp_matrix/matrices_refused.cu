// Which matrices does mma.h refuse? Each -D chooses a fragment that no size table has,
// or a call with a wrong argument. Fragments that do not exist are incomplete types.

#include <mma.h>

namespace wmma = nvcuda::wmma;

/// One refused line.
__global__ void refused() {
    using wmma::fragment, wmma::accumulator, wmma::matrix_a, wmma::matrix_b;
    using rows = wmma::row_major;
    // [refused]
#ifdef SIZE_8X8X16
    fragment<matrix_a, 8, 8, 16, __half, rows> a;
#endif
#ifdef BF16_ACCUMULATOR
    fragment<accumulator, 16, 16, 16, __nv_bfloat16> c;
#endif
#ifdef ROWS_OF_4_BITS
    fragment<matrix_b, 8, 8, 32, wmma::experimental::precision::s4, rows> b;
#endif
#ifdef HALF_SATURATION
    fragment<matrix_a, 16, 16, 16, __half, rows> a;
    fragment<matrix_b, 16, 16, 16, __half, rows> b;
    fragment<accumulator, 16, 16, 16, float> c;
    wmma::mma_sync(c, a, b, c, true);
#endif
#ifdef MIXED_TYPES
    fragment<matrix_a, 16, 16, 16, signed char, rows> a;
    fragment<matrix_b, 16, 16, 16, unsigned char, rows> b;
    fragment<accumulator, 16, 16, 16, int> c;
    wmma::mma_sync(c, a, b, c);
#endif
    // [/refused]
}
