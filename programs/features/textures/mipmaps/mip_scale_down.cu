// What do mipmaps change in a picture that is scaled down? The test picture, 1024
// texels wide, becomes 72 pixels wide: by a bilinear fetch of level 0, and by a
// trilinear fetch of the level that fits. Both are compared with the mean of all texels
// that belong to a pixel.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 1024;  // texels of a side of level 0
constexpr int levels = 11;  // 1024, 512, ... 1
constexpr int out = 72;  // pixels of a side of the result
constexpr dim3 block_size(32, 8);

// [level-0]
/// Scales a picture down from level 0 alone; a thread for each pixel.
/// @param pyramid  mipmapped texture of four components, read as 0 to 1
/// @param pixels   out * out colors in device memory, written
__global__ void scale_level_0(cudaTextureObject_t pyramid, float4* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out || y >= out) return;
    const float u = (x + 0.5f) / out, v = (y + 0.5f) / out;  // center of the pixel
    pixels[y * out + x] = tex2DLod<float4>(pyramid, u, v, 0);
}
// [/level-0]

// [by-gradient]
/// Scales a picture down from the level that fits; a thread for each pixel.
/// @param pyramid  mipmapped texture of four components, read as 0 to 1
/// @param pixels   out * out colors in device memory, written
__global__ void scale_by_gradient(cudaTextureObject_t pyramid, float4* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out || y >= out) return;
    const float u = (x + 0.5f) / out, v = (y + 0.5f) / out;
    const float2 to_right = {1.0f / out, 0}, to_below = {0, 1.0f / out};
    pixels[y * out + x] = tex2DGrad<float4>(pyramid, u, v, to_right, to_below);
}
// [/by-gradient]

// [by-level]
/// The same, with the level computed in the kernel.
/// @param pyramid  mipmapped texture of four components, read as 0 to 1
/// @param pixels   out * out colors in device memory, written
__global__ void scale_by_level(cudaTextureObject_t pyramid, float4* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out || y >= out) return;
    const float u = (x + 0.5f) / out, v = (y + 0.5f) / out;
    const float texels_per_pixel = static_cast<float>(side) / out;
    pixels[y * out + x] = tex2DLod<float4>(pyramid, u, v, log2f(texels_per_pixel));
}
// [/by-level]

/// The next level: each texel is the mean of four.
/// @param level  the level before, row by row
/// @param width  its texels in a row
std::vector<uchar4> halved(const std::vector<uchar4>& level, int width) {
    std::vector<uchar4> next;
    for (int y = 0; y < width; y += 2) {
        for (int x = 0; x < width; x += 2) {
            const uchar4* at = level.data() + (y * width + x);
            const uchar4 a = at[0], b = at[1], c = at[width], d = at[width + 1];
            const auto mean = [](int sum) {
                return static_cast<unsigned char>((sum + 2) / 4);
            };
            next.push_back({mean(a.x + b.x + c.x + d.x), mean(a.y + b.y + c.y + d.y),
                            mean(a.z + b.z + c.z + d.z), 255});
        }
    }
    return next;
}

/// The mean of all texels of each pixel, where a border of pixels divides texels by
/// their parts.
std::vector<float4> area_means(const std::vector<uchar4>& picture) {
    std::vector<float4> means;
    const double wide = static_cast<double>(side) / out;
    for (int y = 0; y < out; ++y) {
        for (int x = 0; x < out; ++x) {
            double sum[3] = {}, weights = 0;
            const double left = x * wide, top = y * wide;
            for (int row = int(top); row < std::min<int>(side, std::ceil(top + wide));
                 ++row) {
                const double tall =
                    std::min(row + 1.0, top + wide) - std::max<double>(row, top);
                for (int column = int(left);
                     column < std::min<int>(side, std::ceil(left + wide)); ++column) {
                    const double weight = tall * (std::min(column + 1.0, left + wide) -
                                                  std::max<double>(column, left));
                    const uchar4 texel = picture[row * side + column];
                    sum[0] += weight * texel.x;
                    sum[1] += weight * texel.y;
                    sum[2] += weight * texel.z;
                    weights += weight;
                }
            }
            means.push_back({static_cast<float>(sum[0] / weights / 255),
                             static_cast<float>(sum[1] / weights / 255),
                             static_cast<float>(sum[2] / weights / 255), 1});
        }
    }
    return means;
}

/// The root of the mean square of the differences, in steps of 1/255.
double difference(const std::vector<float4>& a, const std::vector<float4>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i].x - b[i].x, y = a[i].y - b[i].y, z = a[i].z - b[i].z;
        sum += x * x + y * y + z * z;
    }
    return 255 * std::sqrt(sum / (3.0 * static_cast<double>(a.size())));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    std::vector<uchar4> level_texels = lockstep::test_picture(side);
    const std::vector<float4> means = area_means(level_texels);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(cudaMallocMipmappedArray(&pyramid, &format,
                                             make_cudaExtent(side, side, 0), levels));
    for (int level = 0; level < levels; ++level) {
        const int width = side >> level;
        if (level > 0) level_texels = halved(level_texels, 2 * width);
        cudaArray_t array = nullptr;
        lockstep::check(cudaGetMipmappedArrayLevel(&array, pyramid, level));
        const std::size_t row_bytes = width * sizeof(uchar4);
        lockstep::check(cudaMemcpy2DToArray(array, 0, 0, level_texels.data(), row_bytes,
                                            row_bytes, width, cudaMemcpyHostToDevice));
    }
    // [texture]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.mipmapFilterMode = cudaFilterModeLinear;  // between levels
    description.readMode = cudaReadModeNormalizedFloat;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = levels - 1;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    // [/texture]

    std::vector<std::vector<float4>> results;
    for (const auto kernel : {scale_level_0, scale_by_gradient, scale_by_level}) {
        lockstep::device_buffer<float4> d_pixels(out * out);
        d_pixels.fill_bytes(0xFF);
        const dim3 grid((out + block_size.x - 1) / block_size.x,
                        (out + block_size.y - 1) / block_size.y);
        kernel<<<grid, block_size>>>(texture, d_pixels.data());
        lockstep::check(cudaGetLastError());
        results.push_back(d_pixels.to_host());
    }
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeMipmappedArray(pyramid));

    const double of_level_0 = difference(results[0], means);
    const double of_gradient = difference(results[1], means);
    const double of_level = difference(results[2], means);
    std::printf("%-32s%s\n", "", "difference from the mean, of 255");
    std::printf("%-32s%.1f\n", "level 0", of_level_0);
    std::printf("%-32s%.1f\n", "level by gradient", of_gradient);
    std::printf("%-32s%.1f\n", "level by log2f", of_level);

    if (pictures) {  // level 0, by gradient, mean
        results[2] = means;
        std::vector<unsigned char> rgb;
        for (int y = 0; y < out; ++y) {
            for (const std::vector<float4>& result : results) {
                for (int x = 0; x < out; ++x) {
                    const float4 pixel = result[y * out + x];
                    for (const float component : {pixel.x, pixel.y, pixel.z})
                        rgb.push_back(
                            static_cast<unsigned char>(std::lrint(255 * component)));
                }
            }
        }
        lockstep::write_pixmap("scaled.ppm", 3 * out, out, rgb);
    }
    return of_gradient < 0.7 * of_level_0 && of_level < 0.7 * of_level_0 ? EXIT_SUCCESS
                                                                         : EXIT_FAILURE;
}
