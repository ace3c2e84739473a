// Does the H200 still multiply matrices of 4-bit and 1-bit numbers? The functions are
// experimental, and tensor cores of compute capability 9.0 no longer list 4-bit
// numbers. The calls compile for sm_90 without a warning, and give the results of a
// host loop.

#include <bitset>
#include <cstdint>  // unused; goes with the next recording
#include <cstdlib>
#include <vector>

#include <mma.h>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace wmma = nvcuda::wmma;
namespace precision = nvcuda::wmma::experimental::precision;

// [four-bits]
/// One warp multiplies 8 x 32 by 32 x 8 numbers of 4 bits.
/// @tparam T  precision::s4 or precision::u4
/// @param a  8 rows of 4 words, 8 numbers in a word, device memory
/// @param b  8 columns of 4 words, device memory
/// @param d  64 ints in device memory, by rows
template <class T>
__global__ void multiply_4_bits(const unsigned* a, const unsigned* b, int* d) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, T, wmma::row_major> a_tile;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, T, wmma::col_major> b_tile;
    wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(a_tile, a, 32);  // counts numbers, a multiple of 32
    wmma::load_matrix_sync(b_tile, b, 32);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
    wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}
// [/four-bits]

// [one-bit]
/// One warp combines 8 rows and 8 columns of 128 bits.
/// @tparam Operation  what is done with each pair of bits before ones are counted
/// @param a  8 rows of 4 words in device memory
/// @param b  8 columns of 4 words in device memory
/// @param d  64 ints in device memory, by rows
template <wmma::experimental::bmmaBitOp Operation>
__global__ void combine_bits(const unsigned* a, const unsigned* b, int* d) {
    using bit = precision::b1;
    wmma::fragment<wmma::matrix_a, 8, 8, 128, bit, wmma::row_major> a_tile;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, bit, wmma::col_major> b_tile;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
    wmma::fill_fragment(sum, 0);
    wmma::load_matrix_sync(a_tile, a, 128);  // counts bits, a multiple of 128
    wmma::load_matrix_sync(b_tile, b, 128);
    wmma::bmma_sync(sum, a_tile, b_tile, sum, Operation,
                    wmma::experimental::bmmaAccumulateOpPOPC);
    wmma::store_matrix_sync(d, sum, 8, wmma::mem_row_major);
}
// [/one-bit]

int main() {
    lockstep::require_device(80);

    std::vector<unsigned> a(32), b(32);  // 8 rows, or columns, of 128 bits
    unsigned state = 1;
    for (auto* words : {&a, &b})
        for (unsigned& word : *words) {
            state = state * 1664525 + 1013904223;
            word = state ^ state >> 16;
        }
    const lockstep::device_buffer<unsigned> d_a(a), d_b(b);
    lockstep::device_buffer<int> d_d(64);

    bool right = true;
    const auto compare = [&](const char* label, auto kernel, auto combine) {
        d_d.fill_bytes(0xFF);
        kernel<<<1, 32>>>(d_a.data(), d_b.data(), d_d.data());
        lockstep::check(cudaGetLastError());
        std::vector<int> expected(64, 0);
        for (int i = 0; i < 64; ++i)
            for (int word = 0; word < 4; ++word)
                expected[i] += combine(a[i / 8 * 4 + word], b[i % 8 * 4 + word]);
        const std::size_t wrong = lockstep::count_mismatches(d_d.to_host(), expected);
        lockstep::report(label, wrong, "of 64 wrong");
        right = right && wrong == 0;
    };
    // The sum of eight products; a number of 4 bits has the value (x ^ sign) - sign.
    const auto products = [](unsigned x, unsigned y, int sign) {
        int sum = 0;
        for (int shift = 0; shift < 32; shift += 4)
            sum += ((int(x >> shift & 15) ^ sign) - sign) *
                   ((int(y >> shift & 15) ^ sign) - sign);
        return sum;
    };
    const auto ones = [](unsigned x) {
        return static_cast<int>(std::bitset<32>(x).count());
    };
    compare("s4, 8x8x32", multiply_4_bits<precision::s4>,
            [&](unsigned x, unsigned y) { return products(x, y, 8); });
    compare("u4, 8x8x32", multiply_4_bits<precision::u4>,
            [&](unsigned x, unsigned y) { return products(x, y, 0); });
    compare("b1 with XOR, 8x8x128", combine_bits<wmma::experimental::bmmaBitOpXOR>,
            [&](unsigned x, unsigned y) { return ones(x ^ y); });
    compare("b1 with AND, 8x8x128", combine_bits<wmma::experimental::bmmaBitOpAND>,
            [&](unsigned x, unsigned y) { return ones(x & y); });
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
