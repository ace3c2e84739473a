// A curve that brightens or darkens a picture is given as a table of 33 values, for the
// brightness 0, 1/32, ... 1. A texture of one dimension with the linear filter looks up
// any brightness, and interpolates. Write the coordinate: brightness 0 must return the
// first value of the table, and brightness 1 the last one.

#include <algorithm>
#include <cmath>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 33;  // values of the table
constexpr int pixels = 1024;  // of the picture, one for each brightness

/// Sends each pixel's brightness through the curve.
/// @param table  texture of n values, interpolating, coordinates not normalized
/// @param in     pixels floats from 0 to 1 in device memory
/// @param out    as many in device memory, written
__global__ void apply_curve(cudaTextureObject_t table, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const float brightness = in[i];
    // [task]
    out[i] = tex1D<float>(table, brightness * (n - 1) + 0.5f);
    //= given
    //| out[i] = tex1D<float>(table, brightness * n);
    //= mutant from_the_edge
    //| out[i] = tex1D<float>(table, brightness * (n - 1));
    //= mutant one_texel_too_wide
    //| out[i] = tex1D<float>(table, brightness * n + 0.5f);
    //= mutant next_texel
    //| out[i] = tex1D<float>(table, brightness * (n - 1) + 1.0f);
    // [/task]
}

int main() {
    lockstep::require_device();

    std::vector<float> table(n), in(pixels), expected(pixels);
    for (int i = 0; i < n; ++i) table[i] = std::pow(float(i) / (n - 1), 2.2f);
    for (int i = 0; i < pixels; ++i) {
        in[i] = float(i) / (pixels - 1);
        const float place = in[i] * (n - 1);
        const int entry = std::min(static_cast<int>(place), n - 2);
        expected[i] =
            table[entry] + (place - entry) * (table[entry + 1] - table[entry]);
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, n));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, table.data(), n * sizeof(float),
                                        n * sizeof(float), 1, cudaMemcpyHostToDevice));
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

    const lockstep::device_buffer<float> d_in(in);
    lockstep::device_buffer<float> d_out(pixels);
    d_out.fill_bytes(0xFF);
    apply_curve<<<pixels / 256, 256>>>(texture, d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));

    // a weight is wrong by less than 1/256, and the last two values differ most
    const double tolerance = (table[n - 1] - table[n - 2]) / 256.0 + 1e-6;
    lockstep::exercise_verdict verdict;
    verdict.equal<float>("darkest and brightest pixel", {out.front(), out.back()},
                         {expected.front(), expected.back()}, 1e-6);
    verdict.equal("all pixels", out, expected, tolerance);
    return verdict.finish();
}
