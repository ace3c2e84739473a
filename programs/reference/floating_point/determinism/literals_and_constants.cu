// Does it matter how a constant is written, and when it is computed? A literal without
// f is a double, and draws the whole expression into double. A hexadecimal literal says
// its bits. What the compiler computes obeys IEEE 754; what the GPU computes obeys the
// flags too: with -ftz=true the same product is a denormal number in one case and 0 in
// the other.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
constexpr float tiny = 0x1p-100f * 0x1p-30f;  // computed by the compiler

/// Computes with literals.
/// @param x, a, b  9, 2^-100 and 2^-30
/// @param out      five elements, replaced by the results
__global__ void compute(float x, float a, float b, float* out) {
    out[0] = x * 0.1f;  // a product of floats
    out[1] = static_cast<float>(x * 0.1);  // a product of doubles, rounded at the end
    out[2] = x * 0x1.99999ap-4f;  // the float that is nearest to 0.1
    out[3] = tiny;
    out[4] = a * b;  // computed by the GPU
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<float> d_out(5);
    d_out.fill_bytes(0xFF);
    compute<<<1, 1>>>(9, 0x1p-100f, 0x1p-30f, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();

    const char* names[] = {"9 * 0.1f", "9 * 0.1", "9 * 0x1.99999ap-4f",
                           "product of the compiler", "product of the GPU"};
    for (int i = 0; i < 5; ++i) std::printf("%-28s%a\n", names[i], out[i]);
    lockstep::report("0.1f == 0.1", 0.1f == 0.1);
    const bool right = out[0] == out[2] && out[0] != out[1] && out[3] == 0x1p-130f &&
                       (out[4] == 0x1p-130f || out[4] == 0);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
