// Which matrices does mma_sync multiply? A warp multiplies and adds one tile of each
// size and type, with each layout of A and B, on whole numbers. The result is that of a
// loop on the host, exactly. With A and B by columns, it is also scaled, element by
// element.

#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <mma.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace wmma = nvcuda::wmma;

/// Elements from one row, or column, of A and B to the next: a multiple of 16 bytes.
__host__ __device__ constexpr int leading_dimension(int elements) {
    return elements < 16 ? 16 : elements;
}

/// One warp computes D = scale * (A * B + C) for one tile.
/// @tparam M, N, K   D has M rows and N columns, A has K columns
/// @tparam T         type of the elements of A and B in fragments
/// @tparam WayA, WayB  wmma::row_major or wmma::col_major
/// @param a  M x K numbers in device memory, rows or columns at the leading dimension
/// @param b  K x N numbers in device memory, likewise
/// @param c  M * N numbers in device memory, by rows
/// @param d  M * N numbers in device memory, by rows, replaced
/// @param scale  a factor for each element
template <int M, int N, int K, class T, class WayA, class WayB, class In, class Sum>
__global__ void multiply(const In* a, const In* b, const Sum* c, Sum* d, Sum scale) {
    // [tile]
    wmma::fragment<wmma::matrix_a, M, N, K, T, WayA> a_tile;
    wmma::fragment<wmma::matrix_b, M, N, K, T, WayB> b_tile;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;

    constexpr bool a_by_rows = std::is_same_v<WayA, wmma::row_major>;
    constexpr bool b_by_rows = std::is_same_v<WayB, wmma::row_major>;
    wmma::load_matrix_sync(a_tile, a, leading_dimension(a_by_rows ? K : M));
    wmma::load_matrix_sync(b_tile, b, leading_dimension(b_by_rows ? N : K));
    wmma::load_matrix_sync(sum, c, N, wmma::mem_row_major);
    if constexpr (std::is_same_v<T, wmma::precision::tf32>) {
        for (float& x : a_tile.x) x = wmma::__float_to_tf32(x);
        for (float& x : b_tile.x) x = wmma::__float_to_tf32(x);
    }
    wmma::mma_sync(sum, a_tile, b_tile, sum);
    for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * scale;
    wmma::store_matrix_sync(d, sum, N, wmma::mem_row_major);
    // [/tile]
}

/// A whole number from 0 to 4, or from -2 to 2 if the type has a sign.
template <class T>
T small_number(std::size_t i) {
    const int number = static_cast<int>((i * 7 + i / 5) % 5);
    return static_cast<T>(
        static_cast<float>(std::is_unsigned_v<T> ? number : number - 2));
}

/// Multiplies one tile; returns whether the device and the host agree.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class Stored,
          class Sum>
bool agree(int scale) {
    constexpr bool a_by_rows = std::is_same_v<LayoutA, wmma::row_major>;
    constexpr bool b_by_rows = std::is_same_v<LayoutB, wmma::row_major>;
    constexpr int a_step = leading_dimension(a_by_rows ? K : M);
    constexpr int b_step = leading_dimension(b_by_rows ? N : K);
    std::vector<Stored> a((a_by_rows ? M : K) * a_step),
        b((b_by_rows ? K : N) * b_step);
    std::vector<Sum> c(M * N);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = small_number<Stored>(i);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = small_number<Stored>(i + 3);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = small_number<Sum>(i + 1);

    const lockstep::device_buffer<Stored> d_a(a), d_b(b);
    const lockstep::device_buffer<Sum> d_c(c);
    lockstep::device_buffer<Sum> d_d(M * N);
    d_d.fill_bytes(0xFF);
    multiply<M, N, K, T, LayoutA, LayoutB>
        <<<1, 32>>>(d_a.data(), d_b.data(), d_c.data(), d_d.data(),
                    static_cast<Sum>(static_cast<float>(scale)));
    lockstep::check(cudaGetLastError());
    const std::vector<Sum> d = d_d.to_host();
    for (int row = 0; row < M; ++row)
        for (int column = 0; column < N; ++column) {
            double sum = static_cast<double>(static_cast<float>(c[row * N + column]));
            for (int k = 0; k < K; ++k)
                sum += static_cast<double>(static_cast<float>(
                           a[a_by_rows ? row * a_step + k : k * a_step + row])) *
                       static_cast<float>(
                           b[b_by_rows ? k * b_step + column : column * b_step + k]);
            if (static_cast<float>(d[row * N + column]) != sum * scale) return false;
        }
    return true;
}

/// Tries the four pairs of layouts, and reports them.
template <int M, int N, int K, class T, class Stored, class Sum>
bool all_layouts(const std::string& types) {
    using rows = wmma::row_major;
    using columns = wmma::col_major;
    const int right = agree<M, N, K, T, rows, rows, Stored, Sum>(1) +
                      agree<M, N, K, T, rows, columns, Stored, Sum>(1) +
                      agree<M, N, K, T, columns, rows, Stored, Sum>(1) +
                      agree<M, N, K, T, columns, columns, Stored, Sum>(3);
    const std::string label = types + ", " + std::to_string(M) + "x" +
                              std::to_string(N) + "x" + std::to_string(K);
    lockstep::report(label.c_str(),
                     (std::to_string(right) + " of 4 layouts right").c_str());
    return right == 4;
}

/// The three sizes of most types.
template <class T, class Sum>
bool three_sizes(const std::string& types) {
    const bool square = all_layouts<16, 16, 16, T, T, Sum>(types);
    const bool tall = all_layouts<32, 8, 16, T, T, Sum>(types);
    return all_layouts<8, 32, 16, T, T, Sum>(types) && square && tall;
}

int main() {
    lockstep::require_device(80);

    bool right = three_sizes<__half, float>("half, float");
    right &= three_sizes<__half, __half>("half, half");
    right &= three_sizes<__nv_bfloat16, float>("bf16, float");
    right &= three_sizes<unsigned char, int>("uint8, int");
    right &= three_sizes<signed char, int>("int8, int");
    right &= all_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32, float");
    right &= all_layouts<8, 8, 4, double, double, double>("double, double");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
