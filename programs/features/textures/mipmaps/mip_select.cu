// Which level does a fetch read? Every texel of this mipmapped array holds the number
// of its level, so the fetched value tells it. The program asks for levels directly,
// with several settings of the texture object, and then by gradients.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;  // texels of a side of level 0
constexpr int levels = 7;  // 64, 32, ... 1

/// How far the coordinates move from a pixel to its neighbors, in texels of level 0.
struct step {
    const char* label;
    float2 right, down;
};

// [kernels]
/// Fetches the level that is asked for; a thread for each.
/// @param pyramid  mipmapped texture of floats
/// @param asked    a level for each thread in device memory
/// @param values   one float for each thread in device memory, written
__global__ void by_level(cudaTextureObject_t pyramid, const float* asked,
                         float* values) {
    values[threadIdx.x] = tex2DLod<float>(pyramid, 0.5f, 0.5f, asked[threadIdx.x]);
}

/// Fetches the level that fits the gradients; a thread for each.
/// @param pyramid      mipmapped texture of floats
/// @param right, down  change of the coordinates to the neighboring pixels, for each
///                     thread in device memory
/// @param values       one float for each thread in device memory, written
__global__ void by_gradient(cudaTextureObject_t pyramid, const float2* right,
                            const float2* down, float* values) {
    values[threadIdx.x] =
        tex2DGrad<float>(pyramid, 0.5f, 0.5f, right[threadIdx.x], down[threadIdx.x]);
}
// [/kernels]

/// Makes a texture object of a mipmapped array.
/// @param pyramid      the array
/// @param description  filter and clamps; the rest is set here
cudaTextureObject_t make_texture(cudaMipmappedArray_t pyramid,
                                 cudaTextureDesc description) {
    // [texture]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;  // inside a level
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;  // a mipmapped array needs it
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    // [/texture]
    return texture;
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
        lockstep::check(
            cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float),
                                width * sizeof(float), width, cudaMemcpyHostToDevice));
    }

    // [settings]
    cudaTextureDesc nearest{};
    nearest.mipmapFilterMode = cudaFilterModePoint;
    nearest.maxMipmapLevelClamp = levels - 1;
    cudaTextureDesc trilinear = nearest;
    trilinear.mipmapFilterMode = cudaFilterModeLinear;
    cudaTextureDesc biased = trilinear;
    biased.mipmapLevelBias = 1;
    cudaTextureDesc clamped = trilinear;
    clamped.minMipmapLevelClamp = 1;
    clamped.maxMipmapLevelClamp = 2.5f;
    cudaTextureDesc unset = trilinear;
    unset.maxMipmapLevelClamp = 0;  // as {} leaves it
    cudaTextureDesc anisotropic = trilinear;
    anisotropic.maxAnisotropy = 16;
    // [/settings]

    const std::vector<float> asked = {-1, 0, 0.25f, 0.5f, 0.75f, 1, 2.25f, 6, 9};
    const lockstep::device_buffer<float> d_asked(asked);
    std::vector<std::vector<float>> columns;
    for (const cudaTextureDesc& setting :
         {nearest, trilinear, biased, clamped, unset}) {
        const cudaTextureObject_t texture = make_texture(pyramid, setting);
        lockstep::device_buffer<float> d_values(asked.size());
        d_values.fill_bytes(0xFF);
        by_level<<<1, static_cast<unsigned>(asked.size())>>>(texture, d_asked.data(),
                                                             d_values.data());
        lockstep::check(cudaGetLastError());
        columns.push_back(d_values.to_host());
        lockstep::check(cudaDestroyTextureObject(texture));
    }
    std::printf("%-20s%9s%11s%9s%13s%12s\n", "level asked for", "nearest", "trilinear",
                "bias 1", "clamp 1-2.5", "clamp unset");
    bool right = true;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        std::printf("%-20g%9.3f%11.3f%9.3f%13.3f%12.3f\n", asked[i], columns[0][i],
                    columns[1][i], columns[2][i], columns[3][i], columns[4][i]);
        const float within = std::fmin(std::fmax(asked[i], 0.0f), levels - 1.0f);
        const float narrow = std::fmin(std::fmax(asked[i], 1.0f), 2.5f);
        right = right && std::fabs(columns[1][i] - within) <= 0.02f &&
                std::fabs(columns[3][i] - narrow) <= 0.02f && columns[4][i] == 0;
    }

    // [steps]
    constexpr float half = 2.8284271f;  // 4 texels, turned by 45 degrees
    const step steps[] = {
        {"half a texel", {0.5f, 0}, {0, 0.5f}},
        {"1 texel", {1, 0}, {0, 1}},
        {"2 texels", {2, 0}, {0, 2}},
        {"3 texels", {3, 0}, {0, 3}},
        {"4 texels", {4, 0}, {0, 4}},
        {"4, turned", {half, half}, {-half, half}},
        {"8 right, 1 down", {8, 0}, {0, 1}},
        {"1 right, 8 down", {1, 0}, {0, 8}},
    };
    std::vector<float2> to_right, to_below;
    for (const step& each : steps) {
        to_right.push_back({each.right.x / side, each.right.y / side});
        to_below.push_back({each.down.x / side, each.down.y / side});
    }
    // [/steps]
    const lockstep::device_buffer<float2> d_right(to_right), d_below(to_below);
    std::vector<float> by_setting[2];
    for (const bool with : {false, true}) {
        const cudaTextureObject_t texture =
            make_texture(pyramid, with ? anisotropic : trilinear);
        lockstep::device_buffer<float> d_values(to_right.size());
        d_values.fill_bytes(0xFF);
        by_gradient<<<1, static_cast<unsigned>(to_right.size())>>>(
            texture, d_right.data(), d_below.data(), d_values.data());
        lockstep::check(cudaGetLastError());
        by_setting[with] = d_values.to_host();
        lockstep::check(cudaDestroyTextureObject(texture));
    }
    std::printf("%-20s%9s%15s\n", "step", "level", "anisotropy 16");
    for (std::size_t i = 0; i < to_right.size(); ++i)
        std::printf("%-20s%9.3f%15.3f\n", steps[i].label, by_setting[0][i],
                    by_setting[1][i]);
    right = right && std::fabs(by_setting[0][1]) <= 0.1f &&
            std::fabs(by_setting[0][2] - 1) <= 0.1f &&
            std::fabs(by_setting[0][4] - 2) <= 0.1f;
    lockstep::check(cudaFreeMipmappedArray(pyramid));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
