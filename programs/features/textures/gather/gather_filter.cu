// How precise is bilinear filtering? A gather returns the four texels, so a kernel can
// filter by itself, with weights in single precision. The program compares the texture
// unit with that, and with weights rounded to 8 fractional bits, at random places.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 64;  // of the picture, in texels
constexpr int n = 1 << 20;  // places
constexpr int block_size = 256;

/// One place, filtered in three ways.
struct filtered {
    float by_texture, by_hand, by_hand_8_bits;
};

/// Blends four texels.
/// @param four  as tex2Dgather returns them
/// @param a, b  weights of the right column and of the lower row
__device__ float blend(float4 four, float a, float b) {
    const float upper = four.w + a * (four.z - four.w);
    const float lower = four.x + a * (four.y - four.x);
    return upper + b * (lower - upper);
}

// [kernel]
/// Filters at many places; a thread for each.
/// @param texels  texture of floats, linear filtering
/// @param places  n places in device memory, in texels
/// @param values  n results in device memory, written
__global__ void filter(cudaTextureObject_t texels, const float2* places,
                       filtered* values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 at = places[i];
    const float column = floorf(at.x - 0.5f), row = floorf(at.y - 0.5f);
    const float a = at.x - 0.5f - column, b = at.y - 0.5f - row;
    // at the common corner of the four texels: no rounding can choose others
    const float4 four = tex2Dgather<float4>(texels, column + 1, row + 1);
    values[i].by_texture = tex2D<float>(texels, at.x, at.y);
    values[i].by_hand = blend(four, a, b);
    values[i].by_hand_8_bits =
        blend(four, floorf(a * 256 + 0.5f) / 256, floorf(b * 256 + 0.5f) / 256);
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<float> picture;
    for (const uchar4 texel : lockstep::test_picture(side))
        picture.push_back(static_cast<float>(texel.x) / 255);
    std::vector<float2> places;
    for (int i = 0; i < n; ++i) {
        const auto within = [&](int which) {  // from 1 to side - 1, exact
            const std::uint32_t bits = lockstep::random_word(2 * i + which) >> 8;
            return 1 + static_cast<float>(bits) / (1 << 24) * (side - 2);
        };
        places.push_back({within(0), within(1)});
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, side, side, cudaArrayTextureGather));
    constexpr std::size_t row_bytes = side * sizeof(float);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, picture.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texels = 0;
    lockstep::check(cudaCreateTextureObject(&texels, &resource, &description, nullptr));

    const lockstep::device_buffer<float2> d_places(places);
    lockstep::device_buffer<filtered> d_values(n);
    d_values.fill_bytes(0xFF);
    filter<<<(n + block_size - 1) / block_size, block_size>>>(texels, d_places.data(),
                                                              d_values.data());
    lockstep::check(cudaGetLastError());
    const std::vector<filtered> values = d_values.to_host();
    lockstep::check(cudaDestroyTextureObject(texels));
    lockstep::check(cudaFreeArray(array));

    float of_hand = 0, of_8_bits = 0;
    bool right = true;
    for (const filtered& value : values) {
        const float error = std::fabs(value.by_texture - value.by_hand);
        const float error_8_bits = std::fabs(value.by_texture - value.by_hand_8_bits);
        // each weight is off by 1/256 at most, and texels differ by 1 at most
        right = right && error <= 2.5f / 256 && error_8_bits <= 2.5f / 256;
        of_hand = std::max(of_hand, error);
        of_8_bits = std::max(of_8_bits, error_8_bits);
    }
    std::printf("%-36s%.6f\n", "largest difference", of_hand);
    std::printf("%-36s%.6f\n", "with weights of 8 bits", of_8_bits);
    std::printf("%-36s%.6f\n", "half a step of the weight, 1/512", 1.0 / 512);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
