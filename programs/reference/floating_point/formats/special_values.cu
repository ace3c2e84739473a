// What do zeros, infinities and NaNs do in arithmetic and comparisons on a GPU? What
// IEEE 754 says: an invalid operation gives a NaN, an overflow or a division by zero
// infinity, and a NaN is unordered. No call reports an error.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr const char* operations[] = {
    "1 / 0",        "1 / -0",        "-0 + 0",      "infinity - infinity",
    "0 * infinity", "0 / 0",         "sqrt(-1)",    "log(-1)",
    "pow(1e30, 2)", "1e-30 * 1e-30", "fmax(NaN, 1)"};
constexpr const char* comparisons[] = {"0 == -0", "NaN == NaN", "NaN != NaN",
                                       "NaN < 1", "NaN >= 1",   "!(NaN < 1)"};

// [kernel]
/// Computes special values; the inputs are arguments so that the GPU computes them.
/// @param zero, one  0 and 1
/// @param values     results of the operations
/// @param answers    results of the comparisons
__global__ void compute(float zero, float one, float* values, int* answers) {
    const float infinity = one / zero, nan = infinity - infinity;
    int i = 0;
    for (const float value :
         {infinity, one / -zero, -zero + zero, nan, zero * infinity, zero / zero,
          sqrtf(-one), logf(-one), powf(1e30f * one, 2 * one),
          1e-30f * one * (1e-30f * one), fmaxf(nan, one)})
        values[i++] = value;
    int k = 0;
    for (const bool answer :
         {zero == -zero, nan == nan, nan != nan, nan < one, nan >= one, !(nan < one)})
        answers[k++] = answer;
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<float> d_values(std::size(operations));
    lockstep::device_buffer<int> d_answers(std::size(comparisons));
    compute<<<1, 1>>>(0, 1, d_values.data(), d_answers.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t status = cudaDeviceSynchronize();
    const std::vector<float> values = d_values.to_host();
    const std::vector<int> answers = d_answers.to_host();

    for (std::size_t i = 0; i < values.size(); ++i) {
        char text[16] = "NaN";  // the sign of a NaN means nothing
        if (values[i] == values[i]) std::snprintf(text, sizeof text, "%g", values[i]);
        lockstep::report(operations[i], text);
    }
    for (std::size_t i = 0; i < answers.size(); ++i)
        lockstep::report(comparisons[i], answers[i] != 0);
    lockstep::report("error of the kernel", cudaGetErrorName(status));

    const float inf = INFINITY,
                expected[] = {inf, -inf, 0, NAN, NAN, NAN, NAN, NAN, inf, 0, 1};
    bool right = status == cudaSuccess;
    for (std::size_t i = 0; i < values.size(); ++i)
        right &= values[i] == expected[i] ||
                 (std::isnan(values[i]) && std::isnan(expected[i]));
    for (std::size_t i = 0; i < answers.size(); ++i)
        right &= answers[i] == (i == 0 || i == 2 || i == 5);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
