// Which functions does --use_fast_math replace? This program calls float functions and
// the intrinsics that may stand in for them with the same million arguments, and counts
// the results whose bits differ. Compiled with the option, the replaced ones agree.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/std/cmath>

#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

/// A function and the intrinsic that it is compared with.
struct row {
    const char *function, *intrinsic;
};

constexpr row rows[] = {
    {"x / y", "__fdividef(x, y)"},
    {"fdividef(x, y)", "__fdividef(x, y)"},
    {"sinf(x)", "__sinf(x)"},
    {"cosf(x)", "__cosf(x)"},
    {"sincosf(x)", "__sincosf(x)"},
    {"tanf(x)", "__tanf(x)"},
    {"tanhf(x)", "__tanhf(x)"},
    {"expf(x)", "__expf(x)"},
    {"exp10f(x)", "__exp10f(x)"},
    {"logf(x)", "__logf(x)"},
    {"log2f(x)", "__log2f(x)"},
    {"log10f(x)", "__log10f(x)"},
    {"powf(x, y)", "__powf(x, y)"},
    {"cuda::std::sin(x)", "__sinf(x)"},
    {"cuda::std::pow(x, y)", "__powf(x, y)"},
    {"sqrtf(x)", "sqrt.approx.f32"},
    {"x * y + 1", "__fmaf_rn(x, y, 1)"},
    {"__fadd_rn(__fmul_rn(x, y), 1)", "__fmaf_rn(x, y, 1)"},
};
constexpr int row_count = sizeof rows / sizeof rows[0];

/// Counts the arguments for which a function and an intrinsic return different bits.
/// @param count   number of pairs of arguments
/// @param differ  one count for each row, in device memory, added to
__global__ void compare(unsigned count, unsigned* differ) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    // Between 2^-4 and 2^4, where no result overflows or becomes subnormal.
    const unsigned bits = lockstep::random_word(i, 0),
                   more = lockstep::random_word(i, 1);
    const float x = __uint_as_float((bits & 0x7fffff) | (123 + (bits >> 29)) << 23);
    const float y = __uint_as_float((more & 0x7fffff) | (123 + (more >> 29)) << 23);
    // [compare]
    const auto tally = [&](int row, float standard, float intrinsic) {
        const unsigned same = __float_as_uint(standard) == __float_as_uint(intrinsic);
        atomicAdd(differ + row, 1 - same);
    };
    tally(0, x / y, __fdividef(x, y));
    tally(1, fdividef(x, y), __fdividef(x, y));
    tally(2, sinf(x), __sinf(x));
    tally(3, cosf(x), __cosf(x));
    float sine, cosine, fast_sine, fast_cosine;
    sincosf(x, &sine, &cosine);
    __sincosf(x, &fast_sine, &fast_cosine);
    tally(4, sine, fast_sine);
    // [/compare]
    tally(5, tanf(x), __tanf(x));
    tally(6, tanhf(x), __tanhf(x));
    tally(7, expf(x), __expf(x));
    tally(8, exp10f(x), __exp10f(x));
    tally(9, logf(x), __logf(x));
    tally(10, log2f(x), __log2f(x));
    tally(11, log10f(x), __log10f(x));
    tally(12, powf(x, y), __powf(x, y));
    tally(13, cuda::std::sin(x), __sinf(x));
    tally(14, cuda::std::pow(x, y), __powf(x, y));
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x));
    tally(15, sqrtf(x), root);
    tally(16, x * y + 1, __fmaf_rn(x, y, 1));
    tally(17, __fadd_rn(__fmul_rn(x, y), 1), __fmaf_rn(x, y, 1));
}

int main() {
    lockstep::require_device();
    constexpr unsigned count = 1 << 20;
    lockstep::device_buffer<unsigned> d_differ(row_count);
    d_differ.fill_bytes(0);
    compare<<<count / 256, 256>>>(count, d_differ.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> differ = d_differ.to_host();

    std::printf("%-30s%-22s%s\n", "function", "compared with", "results that differ");
    for (int i = 0; i < row_count; ++i)
        std::printf("%-30s%-22s%u\n", rows[i].function, rows[i].intrinsic, differ[i]);
    const bool separate = differ[row_count - 1] > 0;  // whatever the options
    return separate ? EXIT_SUCCESS : EXIT_FAILURE;
}
