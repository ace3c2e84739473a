// What does libcu++ offer where std:: is refused? The same names in cuda::std, which
// work on both sides. One function uses each, on the host and in a kernel, and the
// results are the same.

#include <cstdlib>
#include <vector>

#include <cuda/cmath>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/bitset>
#include <cuda/std/chrono>
#include <cuda/std/complex>
#include <cuda/std/expected>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int features = 15;

// [values]
/// The square root, if it is a whole number.
__host__ __device__ cuda::std::optional<int> whole_root(int n) {
    for (int root = 0; root <= n; ++root)
        if (root * root == n) return root;
    return cuda::std::nullopt;
}
/// A quotient, or why there is none.
__host__ __device__ cuda::std::expected<int, char> divide(int a, int b) {
    if (b == 0) return cuda::std::unexpected('0');
    return a / b;
}
/// The sum of a view, which knows its length.
__host__ __device__ int sum_of(cuda::std::span<const int> x) {
    return cuda::std::accumulate(x.begin(), x.end(), 0);
}
// [/values]

/// Uses each class once.
/// @param n      5, which the compiler does not know
/// @param found  one number for each feature, written
__host__ __device__ void use_each(int n, long long* found) {
    int i = 0;
    // [holders]
    cuda::std::array<int, 4> four = {n, 2, 3, 4};
    found[i++] = whole_root(n + 4).value_or(-1) + whole_root(n).value_or(-1);  // 3 - 1
    found[i++] = divide(n, 0).has_value() ? 0 : divide(n, 0).error();
    found[i++] = sum_of({four.data(), 3});
    found[i++] = four.size() * four[0];
    cuda::std::tuple<int, float, char> three(n, 0.5f, 'c');
    found[i++] = cuda::std::get<0>(three) + cuda::std::get<2>(three);
    auto [small, large] = cuda::std::make_pair(n, 7);
    cuda::std::swap(small, large);
    found[i++] = small;
    cuda::std::variant<int, float> either = n + 0.5f;
    found[i++] = cuda::std::visit([](auto x) { return int(2 * x); }, either);
    cuda::std::mdspan<int, cuda::std::extents<int, 2, 2>> matrix(four.data());
    found[i++] = matrix(1, 0);
    // [/holders]
    // [numbers]
    const cuda::std::complex<double> z(n, 1);
    found[i++] = static_cast<long long>((z * z).real());
    found[i++] = cuda::std::numeric_limits<int>::max();
    found[i++] = cuda::std::popcount(0xF0u + n) + cuda::std::countl_zero(unsigned(n));
    found[i++] = cuda::std::bitset<8>(n).count();
    found[i++] = cuda::std::max(n, 3) + cuda::ceil_div(n, 2);
    const cuda::std::chrono::milliseconds time = cuda::std::chrono::seconds(n);
    found[i++] = time.count();
    const __int128 wide = static_cast<__int128>(n) << 64;  // needs more than 64 bits
    found[i++] = static_cast<long long>(wide / n >> 32);
    // [/numbers]
}

/// The same in a kernel; one thread.
/// @param n      5
/// @param found  one number for each feature in device memory, written
__global__ void use_on_device(int n, long long* found) { use_each(n, found); }

int main() {
    lockstep::require_device();
    std::vector<long long> on_host(features);
    use_each(5, on_host.data());
    lockstep::device_buffer<long long> d_found(features);
    d_found.fill_bytes(0xFF);
    use_on_device<<<1, 1>>>(5, d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<long long> found = d_found.to_host();

    const char* const names[features] = {
        "optional", "expected", "span",          "array",   "tuple",
        "pair",     "variant",  "mdspan",        "complex", "numeric_limits",
        "bit",      "bitset",   "max, ceil_div", "chrono",  "__int128"};
    for (int i = 0; i < features; ++i) lockstep::report(names[i], found[i]);
    const bool same = lockstep::count_mismatches(found, on_host) == 0;
    lockstep::report("host and device agree", same);
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
