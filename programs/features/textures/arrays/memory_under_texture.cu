// Must a texture lie in an array? No. A texture over pitched memory has two dimensions
// and the linear filter, one over linear memory has whole numbers as coordinates.
// Kernels write such memory through its pointer, and a later kernel reads it through a
// texture.

#include <cmath>  // std::abs of a float
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int width = 200, height = 128;  // texels; a row has 800 bytes

// [paint]
/// Fills padded rows with a pattern.
/// @param texels  height rows in device memory, written
/// @param pitch   floats from one row to the next
__global__ void paint(float* texels, std::size_t pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) texels[y * pitch + x] = 4.0f * ((7 * x + 13 * y) % 64);
}
// [/paint]

// [fetch]
/// Fetches the middle of four texels from two textures, and one of them from a third.
/// @param padded, array  textures with the linear filter, over pitched memory and array
/// @param linear         texture over the same pitched memory, as one row
/// @param pitch          floats from one row to the next
/// @param out            width * height results in device memory, written
__global__ void fetch(cudaTextureObject_t padded, cudaTextureObject_t array,
                      cudaTextureObject_t linear, int pitch, float3* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = {tex2D<float>(padded, x + 1.0f, y + 1.0f),
                          tex2D<float>(array, x + 1.0f, y + 1.0f),
                          tex1Dfetch<float>(linear, y * pitch + x)};
}
// [/fetch]

int main() {
    lockstep::require_device();

    // [pitched]
    float* d_texels = nullptr;
    std::size_t pitch = 0;  // bytes
    constexpr std::size_t row_bytes = width * sizeof(float);
    lockstep::check(cudaMallocPitch(&d_texels, &pitch, row_bytes, height));
    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    paint<<<grid, block>>>(d_texels, pitch / sizeof(float));
    lockstep::check(cudaGetLastError());

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = d_texels;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width;  // texels
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t padded = 0;
    lockstep::check(cudaCreateTextureObject(&padded, &resource, &description, nullptr));
    // [/pitched]

    // [linear]
    cudaResourceDesc row{};
    row.resType = cudaResourceTypeLinear;
    row.res.linear.devPtr = d_texels;
    row.res.linear.desc = format;
    row.res.linear.sizeInBytes = pitch * height;
    cudaTextureDesc plain{};  // address mode and filter have no effect here
    plain.readMode = cudaReadModeElementType;
    cudaTextureObject_t linear = 0;
    lockstep::check(cudaCreateTextureObject(&linear, &row, &plain, nullptr));
    // [/linear]

    cudaArray_t texels = nullptr;
    lockstep::check(cudaMallocArray(&texels, &format, width, height));
    lockstep::check(cudaMemcpy2DToArray(texels, 0, 0, d_texels, pitch, row_bytes,
                                        height, cudaMemcpyDeviceToDevice));
    cudaResourceDesc copied{};
    copied.resType = cudaResourceTypeArray;
    copied.res.array.array = texels;
    cudaTextureObject_t array = 0;
    lockstep::check(cudaCreateTextureObject(&array, &copied, &description, nullptr));

    lockstep::device_buffer<float3> d_out(width * height);
    d_out.fill_bytes(0xFF);
    fetch<<<grid, block>>>(padded, array, linear,
                           static_cast<int>(pitch / sizeof(float)), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float3> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(padded));
    lockstep::check(cudaDestroyTextureObject(linear));
    lockstep::check(cudaDestroyTextureObject(array));
    lockstep::check(cudaFreeArray(texels));
    lockstep::check(cudaFree(d_texels));

    int wrong_padded = 0, wrong_array = 0, wrong_linear = 0;
    const auto texel = [](int x, int y) {
        x = x < width ? x : width - 1;
        y = y < height ? y : height - 1;
        return 4.0f * ((7 * x + 13 * y) % 64);
    };
    for (int i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width;
        // the mean of four multiples of 4 is a whole number: nothing is rounded
        const float mean =
            (texel(x, y) + texel(x + 1, y) + texel(x, y + 1) + texel(x + 1, y + 1)) / 4;
        wrong_padded += !(std::abs(out[i].x - mean) < 0.01f);
        wrong_array += !(std::abs(out[i].y - mean) < 0.01f);
        wrong_linear += out[i].z != texel(x, y);
    }
    lockstep::report("bytes of a row's texels", row_bytes);
    lockstep::report("bytes of a padded row", pitch);
    lockstep::report("wrong, pitched memory", wrong_padded);
    lockstep::report("wrong, array", wrong_array);
    lockstep::report("wrong, linear memory", wrong_linear);
    return wrong_padded + wrong_array + wrong_linear == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
