// Can a texture hold 16-bit floats? Yes, in half the memory of a float texture. A fetch
// returns them as float. How precise is the value between two texels? The program
// compares with a float texture of the same, rounded texels.

#include <algorithm>
#include <cmath>  // std::abs of a float
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 4;  // texels
constexpr int steps = 1024;  // places from the first center to the last, for each texel

// [kernel]
/// Fetches from the center of the first texel to that of the last one.
/// @param texture  of n texels
/// @param out      (n - 1) * steps + 1 floats in device memory, written
__global__ void sweep(cudaTextureObject_t texture, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= (n - 1) * steps)
        out[i] = tex1D<float>(texture, 0.5f + float(i) / steps);  // float, never half
}
// [/kernel]

/// What an interpolating texture returns all along its texels.
/// @param format  of a texel
/// @param texels  n texels of that format
/// @param bytes   of all texels
std::vector<float> swept(const cudaChannelFormatDesc& format, const void* texels,
                         std::size_t bytes) {
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, n));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels, bytes, bytes, 1,
                                        cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    lockstep::device_buffer<float> d_out((n - 1) * steps + 1);
    d_out.fill_bytes(0xFF);
    sweep<<<(n - 1) * steps / 256 + 1, 256>>>(texture, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));
    return out;
}

int main() {
    lockstep::require_device();

    // [texels]
    const std::vector<float> wanted = {0.1f, 1, 1.5f, 2049};
    std::vector<__half> halves;
    std::vector<float> rounded;  // to what a half can hold
    for (const float x : wanted) {
        halves.push_back(__float2half_rn(x));
        rounded.push_back(__half2float(halves.back()));
    }
    const std::vector<float> from_half = swept(
        cudaCreateChannelDescHalf(), halves.data(), halves.size() * sizeof(__half));
    const std::vector<float> from_float =
        swept(cudaCreateChannelDesc<float>(), rounded.data(), n * sizeof(float));
    // [/texels]

    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        char label[24];
        std::snprintf(label, sizeof label, "%g as a half", double(wanted[i]));
        lockstep::report(label, double(from_half[i * steps]));
        wrong += !(from_half[i * steps] == rounded[i]);  // a center: no weights
    }
    double largest = 0;
    for (std::size_t i = 0; i < from_half.size(); ++i) {
        const std::size_t texel = std::min(i / steps, std::size_t(n - 2));
        const double weight = double(i) / steps - double(texel);
        const double step = rounded[texel + 1] - rounded[texel];
        const double expected = rounded[texel] + weight * step;
        // the weight is wrong by less than 1/256, and a float has 24 bits
        const double allowed = std::abs(step) / 256 + 1e-6 * std::abs(expected);
        wrong += !(std::abs(from_half[i] - expected) <= allowed);
        wrong += !(std::abs(from_float[i] - expected) <= allowed);
        largest = std::max(largest, double(std::abs(from_half[i] - from_float[i])));
    }
    lockstep::report("places between them", from_half.size());
    lockstep::report("half and float differ by", largest);
    lockstep::report("wrong values", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
