// A picture is to be halved: each pixel of the result is the mean of 2 x 2 texels. The
// kernel may fetch only once for each pixel. The texture has the linear filter, and its
// coordinates are not normalized. Write the coordinates of that fetch.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 128;  // texels of the picture's side
constexpr int small = side / 2;  // pixels of the result's side

/// Halves a picture.
/// @param picture  texture of side * side texels, interpolating
/// @param out      small * small floats in device memory, written
__global__ void halve(cudaTextureObject_t picture, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= small || y >= small) return;
    // [task]
    const float u = 2 * x + 1.0f, v = 2 * y + 1.0f;
    //= given
    //| const float u = 2 * x + 0.5f, v = 2 * y + 0.5f;
    //= mutant corner
    //| const float u = 2.0f * x, v = 2.0f * y;
    //= mutant two_texels
    //| const float u = 2 * x + 1.0f, v = 2 * y + 0.5f;
    //= mutant next_texels
    //| const float u = 2 * x + 2.0f, v = 2 * y + 2.0f;
    // [/task]
    out[y * small + x] = tex2D<float>(picture, u, v);  // the only fetch
}

int main() {
    lockstep::require_device();

    std::vector<float> texels(side * side), expected(small * small);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            texels[y * side + x] =
                static_cast<float>((x * x + 3 * y * y + x * y) % 251);
            expected[y / 2 * small + x / 2] += texels[y * side + x] / 4;
        }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    constexpr std::size_t row_bytes = side * sizeof(float);
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t picture = 0;
    lockstep::check(
        cudaCreateTextureObject(&picture, &resource, &description, nullptr));
    lockstep::device_buffer<float> d_out(small * small);
    d_out.fill_bytes(0xFF);
    halve<<<dim3(small / 16, small / 16), dim3(16, 16)>>>(picture, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(picture));
    lockstep::check(cudaFreeArray(array));

    // all weights are 1/4, so quarters of whole numbers come out
    lockstep::exercise_verdict verdict;
    verdict.equal<float>("first pixel", {out[0]}, {expected[0]}, 0.01);
    verdict.equal("all pixels", out, expected, 0.01,
                  lockstep::in_groups(small, "row", "column"));
    return verdict.finish();
}
