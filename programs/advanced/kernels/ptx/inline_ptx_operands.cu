// One instruction that C++ has no name for: the dot product of four bytes with four
// bytes, added to a sum. Inputs, an output and what the compiler must know are named
// behind colons. A loop in C++ gives the same.

#include <cstdlib>
#include <vector>

#include <lockstep/arguments.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>

// [assembly]
/// sum + a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3, of the unsigned bytes of a and b.
__device__ unsigned dot_in_assembly(unsigned a, unsigned b, unsigned sum) {
    unsigned result = 0;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}
// [/assembly]

/// The same in C++.
__host__ __device__ unsigned dot_in_cpp(unsigned a, unsigned b, unsigned sum) {
    for (int byte = 0; byte < 4; ++byte)
        sum += (a >> 8 * byte & 0xFF) * (b >> 8 * byte & 0xFF);
    return sum;
}

/// Computes all dot products with the instruction.
/// @param n       number of words
/// @param a       n words in device memory
/// @param b       n words in device memory
/// @param result  n words in device memory, written
__global__ void dot_products(int n, const unsigned* a, const unsigned* b,
                             unsigned* result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = dot_in_assembly(a[i], b[i], i);
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int n = static_cast<int>(arguments.integer("n", 100'000, 1, 1 << 24));
    arguments.finish();
    lockstep::require_device();

    std::vector<unsigned> a(n);
    std::vector<unsigned> b(n);
    std::vector<unsigned> expected(n);
    for (int i = 0; i < n; ++i) {
        a[i] = lockstep::random_word(i, 1);
        b[i] = lockstep::random_word(i, 2);
        expected[i] = dot_in_cpp(a[i], b[i], i);
    }
    const lockstep::device_buffer<unsigned> d_a(a);
    const lockstep::device_buffer<unsigned> d_b(b);
    lockstep::device_buffer<unsigned> d_result(n);
    dot_products<<<(n + 255) / 256, 256>>>(n, d_a.data(), d_b.data(), d_result.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_result.to_host(), expected);
    lockstep::report("wrong dot products", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
