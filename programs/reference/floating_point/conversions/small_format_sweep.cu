// How does CUDA convert to formats of 8, 6 and 4 bits? To the nearest number, of two as
// near the one with an even fraction. A kernel decodes all codes of each format, and
// converts all 65,536 values of half to it; the program compares each result with the
// nearest of the decoded numbers.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [fp8]
/// A format of 8 bits, with its interpretation and what happens beyond its maximum.
template <__nv_fp8_interpretation_t kind, __nv_saturation_t saturation>
struct fp8 {
    static constexpr int bits = 8;
    static __device__ unsigned char encode(float x) {
        return __nv_cvt_float_to_fp8(x, saturation, kind);
    }
    static __device__ float decode(unsigned char code) {
        return __half2float(__nv_cvt_fp8_to_halfraw(code, kind));
    }
};
// [/fp8]
/// A format of 6 bits, which has neither infinities nor NaNs.
template <__nv_fp6_interpretation_t kind>
struct fp6 {
    static constexpr int bits = 6;
    static __device__ unsigned char encode(float x) {
        return __nv_cvt_float_to_fp6(x, kind, cudaRoundNearest);
    }
    static __device__ float decode(unsigned char code) {
        return __half2float(__nv_cvt_fp6_to_halfraw(code, kind));
    }
};
/// The format of 4 bits.
struct fp4 {
    static constexpr int bits = 4;
    static __device__ unsigned char encode(float x) {
        return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest);
    }
    static __device__ float decode(unsigned char code) {
        return __half2float(__nv_cvt_fp4_to_halfraw(code, __NV_E2M1));
    }
};

constexpr unsigned halves = 1 << 16;

// [kernels]
/// Decodes each code of a format.
/// @tparam Format  the format
/// @param numbers  one element for each code, replaced by its number
template <class Format>
__global__ void decode(float* numbers) {
    numbers[threadIdx.x] = Format::decode(threadIdx.x);
}

/// Converts each value of half to a format and back.
/// @tparam Format  the format
/// @param values   65,536 elements, replaced by the values of half
/// @param results  as many elements, replaced by what the format made of them
template <class Format>
__global__ void convert(float* values, float* results) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = __half2float(__ushort_as_half(i));
    results[i] = Format::decode(Format::encode(values[i]));
}
// [/kernels]

/// The nearest finite number of a format; of two as near, the one with the even code.
/// Codes of positive numbers ascend with the numbers.
/// @param numbers  those of the positive codes
/// @param x        not negative
float nearest(const std::vector<float>& numbers, float x) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        const float now = std::fabs(numbers[i] - x),
                    then = std::fabs(numbers[best] - x);
        if (now < then || (now == then && i % 2 == 0)) best = i;
    }
    return numbers[best];
}

/// Sweeps a format, and prints a line about it.
/// @return whether each value of half within the range became the nearest number
template <class Format>
bool sweep(const char* name) {
    constexpr unsigned codes = 1u << Format::bits;
    lockstep::device_buffer<float> d_numbers(codes), d_values(halves),
        d_results(halves);
    d_numbers.fill_bytes(0xFF);
    d_results.fill_bytes(0xFF);
    decode<Format><<<1, codes>>>(d_numbers.data());
    lockstep::check(cudaGetLastError());
    convert<Format><<<halves / 256, 256>>>(d_values.data(), d_results.data());
    lockstep::check(cudaGetLastError());
    const auto numbers = d_numbers.to_host(), values = d_values.to_host(),
               results = d_results.to_host();

    std::vector<float> finite;  // those of the positive codes
    for (unsigned code = 0; code < codes / 2; ++code)
        if (std::isfinite(numbers[code])) finite.push_back(numbers[code]);
    int wrong = 0, compared = 0;
    for (unsigned i = 0; i < halves; ++i) {
        const float magnitude = std::fabs(values[i]);
        if (!(magnitude <= finite.back())) continue;
        const float expected = std::copysign(nearest(finite, magnitude), values[i]);
        wrong += results[i] != expected ||
                 std::signbit(results[i]) != std::signbit(values[i]);
        ++compared;
    }
    std::printf("%-16s%8zu%13g%9g%10d%7d", name, 2 * finite.size(), finite[1],
                finite.back(), compared, wrong);
    const unsigned short beyond[] = {0x7bff, 0x7c00, 0x7e00};  // 65504, infinity, NaN
    for (const unsigned short code : beyond) {
        char word[16];
        std::snprintf(word, sizeof word, "%g", results[code]);
        std::printf("%7s", results[code] != results[code] ? "NaN" : word);
    }
    std::printf("\n");
    return wrong == 0 && compared > 0;
}

int main() {
    lockstep::require_device();

    std::printf("%-16s%8s%13s%9s%10s%7s%7s%7s%7s\n", "format", "numbers", "smallest",
                "largest", "compared", "wrong", "65504", "inf", "NaN");
    bool right = true;
    right &= sweep<fp8<__NV_E4M3, __NV_SATFINITE>>("e4m3, satfinite");
    right &= sweep<fp8<__NV_E4M3, __NV_NOSAT>>("e4m3, nosat");
    right &= sweep<fp8<__NV_E5M2, __NV_SATFINITE>>("e5m2, satfinite");
    right &= sweep<fp8<__NV_E5M2, __NV_NOSAT>>("e5m2, nosat");
    right &= sweep<fp6<__NV_E2M3>>("e2m3");
    right &= sweep<fp6<__NV_E3M2>>("e3m2");
    right &= sweep<fp4>("e2m1");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
