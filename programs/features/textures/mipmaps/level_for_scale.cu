// A kernel scales a picture down, and each thread knows by how much: the number of
// texels of level 0 from one pixel to the next, which differs from row to row as in a
// picture of a floor. Fetch from the level whose texels are as far apart as the pixels.
// Each texel of the pyramid holds the number of its level, so the result tells it.

#include <cmath>
#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 256;  // texels of a side of level 0
constexpr int levels = 9;  // 256, 128, ... 1
constexpr int rows = 64;

/// Fetches with the level that fits; a thread for each row of the result.
/// @param pyramid  mipmapped texture of floats, trilinear
/// @param scales   texels of level 0 for each pixel of the row, in device memory
/// @param values   one float for each row in device memory, written
__global__ void fetch_rows(cudaTextureObject_t pyramid, const float* scales,
                           float* values) {
    const int row = threadIdx.x;
    const float texels = scales[row];  // from one pixel to the next
    const float v = (row + 0.5f) / rows;
    // [task]
    values[row] = tex2DLod<float>(pyramid, 0.5f, v, log2f(texels));
    //= given
    //| values[row] = tex2DLod<float>(pyramid, 0.5f, v, texels);
    //= mutant natural_logarithm
    //| values[row] = tex2DLod<float>(pyramid, 0.5f, v, logf(texels));
    //= mutant whole_levels
    //| values[row] = tex2DLod<float>(pyramid, 0.5f, v, rintf(log2f(texels)));
    //= mutant area
    //| values[row] = tex2DLod<float>(pyramid, 0.5f, v, log2f(texels * texels));
    //= mutant one_level_less
    //| values[row] = tex2DLod<float>(pyramid, 0.5f, v, log2f(texels) - 1);
    // [/task]
}

int main() {
    lockstep::require_device();

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(cudaMallocMipmappedArray(&pyramid, &format,
                                             make_cudaExtent(side, side, 0), levels));
    for (int level = 0; level < levels; ++level) {
        const int width = side >> level;
        const std::vector<float> texels(width * width, static_cast<float>(level));
        cudaArray_t array = nullptr;
        lockstep::check(cudaGetMipmappedArrayLevel(&array, pyramid, level));
        const std::size_t row_bytes = width * sizeof(float);
        lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                            row_bytes, width, cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.mipmapFilterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = levels - 1;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    std::vector<float> scales, expected;
    for (int row = 0; row < rows; ++row) {
        scales.push_back(64.0f / static_cast<float>(row + 1));  // 64 far away, 1 near
        expected.push_back(std::log2(scales.back()));
    }
    const lockstep::device_buffer<float> d_scales(scales);
    lockstep::device_buffer<float> d_values(rows);
    d_values.fill_bytes(0xFF);
    fetch_rows<<<1, rows>>>(texture, d_scales.data(), d_values.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> values = d_values.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeMipmappedArray(pyramid));

    lockstep::exercise_verdict verdict;
    verdict.equal("level of each row", values, expected, 0.02);
    return verdict.finish();
}
