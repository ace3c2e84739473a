// How does a kernel compute with complex numbers? With cuda::std::complex, which has
// the operators and functions of std::complex, or with the C functions of cuComplex.h.
// Both give the same values, except for a product with an infinity.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuComplex.h>
#include <cuda/std/complex>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [class]
/// Computes with the class template.
/// @param x, y, far  1 + 2i, 3 + 4i, and a number with an infinite real and imaginary
/// part
/// @param one        1
/// @param out        five elements, replaced by the results
__global__ void with_class(float2 x, float2 y, float2 far, float one, float2* out) {
    using complex = cuda::std::complex<float>;
    const complex a{x.x, x.y}, b{y.x, y.y}, c{far.x, far.y}, unit{one, 0};
    const float large = cuda::std::abs(b * 5e37f);
    const complex results[] = {a + b, a * b, a / b, {large, 0}, c * unit};
    for (const complex each : results) *out++ = {each.real(), each.imag()};
}
// [/class]

// [functions]
/// Computes with the functions of cuComplex.h.
/// @param a, b, c  1 + 2i, 3 + 4i, and a number with an infinite real and imaginary
/// part
/// @param one      1
/// @param out      five elements, replaced by the results
__global__ void with_functions(cuComplex a, cuComplex b, cuComplex c, float one,
                               cuComplex* out) {
    const float large = cuCabsf(make_cuComplex(b.x * 5e37f, b.y * 5e37f));
    out[0] = cuCaddf(a, b);
    out[1] = cuCmulf(a, b);
    out[2] = cuCdivf(a, b);
    out[3] = make_cuComplex(large, 0);
    out[4] = cuCmulf(c, make_cuComplex(one, 0));
}
// [/functions]

/// Runs a kernel with the three numbers.
std::vector<float2> run(void (*kernel)(float2, float2, float2, float, float2*)) {
    lockstep::device_buffer<float2> d_out(5);
    d_out.fill_bytes(0xFF);
    kernel<<<1, 1>>>({1, 2}, {3, 4}, {INFINITY, INFINITY}, 1, d_out.data());
    lockstep::check(cudaGetLastError());
    return d_out.to_host();
}

int main() {
    lockstep::require_device();

    const char* names[] = {"a + b", "a * b", "a / b", "abs(5e37 * b)",
                           "(inf + inf i) * 1"};
    const std::vector<float2> classes = run(with_class),
                              functions = run(with_functions);
    std::printf("%-22s%24s%24s\n", "", "cuda::std::complex", "cuComplex.h");
    bool right = true;
    for (int i = 0; i < 5; ++i) {
        std::printf("%-22s", names[i]);
        for (const float2 z : {classes[i], functions[i]}) {
            char text[32] = "NaN";
            if (z.x == z.x) std::snprintf(text, sizeof text, "%g %+gi", z.x, z.y);
            std::printf("%24s", text);
        }
        std::printf("\n");
        const float2 c = classes[i], f = functions[i];
        if (i < 4)
            right &= std::fabs(c.x - f.x) <= 1e-6f * std::fabs(c.x) &&
                     std::fabs(c.y - f.y) <= 1e-6f * std::fabs(c.y);
    }
    right &= classes[0].x == 4 && classes[0].y == 6 && classes[1].x == -5 &&
             classes[1].y == 10 && std::isinf(classes[4].x) &&
             std::isnan(functions[4].x);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
