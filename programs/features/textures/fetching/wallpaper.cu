// A wallpaper repeats a picture: to the right as it is, downwards reversed, so that
// each row of pictures is the mirror image of the one above. The kernel asks for
// coordinates far beyond the picture's edges. Describe the texture so that it returns
// the wallpaper, and say how wide a texel is in its coordinates.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;        // texels of the picture's side
constexpr int wall = 3 * side;  // pixels of the wallpaper's side

/// Covers a wall with the picture.
/// @param picture  texture of side * side texels
/// @param texel    width of a texel in the coordinates of this texture
/// @param out      wall * wall ints in device memory, written
__global__ void cover(cudaTextureObject_t picture, float texel, int* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < wall && y < wall)
        out[y * wall + x] = tex2D<int>(picture, (x + 0.5f) * texel, (y + 0.5f) * texel);
}

int main() {
    lockstep::require_device();

    std::vector<int> texels(side * side), expected(wall * wall);
    for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<int>(i);
    for (int y = 0; y < wall; ++y)
        for (int x = 0; x < wall; ++x) {
            const int row = y / side % 2 ? side - 1 - y % side : y % side;
            expected[y * wall + x] = texels[row * side + x % side];
        }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    const std::size_t row_bytes = side * sizeof(int);
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;

    cudaTextureDesc description{};
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    // [task]
    description.addressMode[0] = cudaAddressModeWrap;
    description.addressMode[1] = cudaAddressModeMirror;
    description.normalizedCoords = 1;
    const float texel = 1.0f / side;
    //= given
    //| description.addressMode[0] = cudaAddressModeClamp;
    //| description.addressMode[1] = cudaAddressModeClamp;
    //| description.normalizedCoords = 0;
    //| const float texel = 1;
    //= mutant not_normalized
    //| description.addressMode[0] = cudaAddressModeWrap;
    //| description.addressMode[1] = cudaAddressModeMirror;
    //| description.normalizedCoords = 0;
    //| const float texel = 1;
    //= mutant axes_swapped
    //| description.addressMode[0] = cudaAddressModeMirror;
    //| description.addressMode[1] = cudaAddressModeWrap;
    //| description.normalizedCoords = 1;
    //| const float texel = 1.0f / side;
    //= mutant wide_texels
    //| description.addressMode[0] = cudaAddressModeWrap;
    //| description.addressMode[1] = cudaAddressModeMirror;
    //| description.normalizedCoords = 1;
    //| const float texel = 1;
    // [/task]
    cudaTextureObject_t picture = 0;
    lockstep::check(
        cudaCreateTextureObject(&picture, &resource, &description, nullptr));
    lockstep::device_buffer<int> d_out(wall * wall);
    d_out.fill_bytes(0xFF);
    cover<<<dim3(wall / 16, wall / 16), dim3(16, 16)>>>(picture, texel, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(picture));
    lockstep::check(cudaFreeArray(array));

    std::vector<int> first_row(out.begin(), out.begin() + wall);
    const std::vector<int> wanted(expected.begin(), expected.begin() + wall);
    lockstep::exercise_verdict verdict;
    verdict.equal("top row of pixels", first_row, wanted);
    verdict.equal("wallpaper", out, expected);
    return verdict.finish();
}
