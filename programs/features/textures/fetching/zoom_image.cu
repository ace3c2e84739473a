// What do the two filters make of an enlarged picture? Blocks and smooth transitions.
// The same transitions computed from four point fetches, with weights of 24 bits,
// differ by less than two of 255 levels, so eight bits of weight are enough for a
// picture.

#include <algorithm>
#include <cmath>  // std::abs of a float
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 256;                // texels of the picture's side
constexpr int factor = 10;               // pixels for each texel
constexpr int shown = 30;                // texels of the window's side
constexpr int pixels = factor * shown;   // of the enlarged window's side
constexpr int left = 60, top = 150;  // texel at the window's corner

/// What a pixel of the enlarged window shows in three ways, as parts of 255.
struct ways {
    float4 point;   ///< the texel that covers it
    float4 linear;  ///< interpolated by the texture
    float4 exact;   ///< interpolated by the kernel
};

// [formula]
/// Interpolates four texels as the linear filter does, with weights of 24 bits.
/// @param point  texture that does not interpolate
/// @param x, y   coordinates, not normalized
__device__ float4 interpolate(cudaTextureObject_t point, float x, float y) {
    const float column = floorf(x - 0.5f), row = floorf(y - 0.5f);
    const float right = x - 0.5f - column, below = y - 0.5f - row;
    float4 sum{};
    for (int corner = 0; corner < 4; ++corner) {
        const int i = corner % 2, j = corner / 2;
        const float4 texel = tex2D<float4>(point, column + i + 0.5f, row + j + 0.5f);
        const float weight = (i ? right : 1 - right) * (j ? below : 1 - below);
        sum = {sum.x + weight * texel.x, sum.y + weight * texel.y,
               sum.z + weight * texel.z, sum.w + weight * texel.w};
    }
    return sum;
}
// [/formula]

// [kernel]
/// Enlarges a window of a picture.
/// @param point   texture that does not interpolate
/// @param linear  texture that does
/// @param out     pixels * pixels results in device memory, written
__global__ void zoom(cudaTextureObject_t point, cudaTextureObject_t linear, ways* out) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= pixels || py >= pixels) return;
    const float x = left + (px + 0.5f) / factor;
    const float y = top + (py + 0.5f) / factor;
    ways& pixel = out[py * pixels + px];
    pixel.point = tex2D<float4>(point, x, y);
    pixel.linear = tex2D<float4>(linear, x, y);
    pixel.exact = interpolate(point, x, y);
}
// [/kernel]

/// Red, green and blue of a picture that takes its pixels from one of the ways.
/// @param all   the pixels, each by all ways
/// @param pick  what a pixel shows, from 0 to 255 in each part
template <class Pick>
std::vector<unsigned char> rgb_of(const std::vector<ways>& all, Pick pick) {
    std::vector<unsigned char> rgb;
    for (const ways& pixel : all) {
        const float3 color = pick(pixel);
        for (const float part : {color.x, color.y, color.z})
            rgb.push_back(
                static_cast<unsigned char>(std::clamp(part + 0.5f, 0.0f, 255.0f)));
    }
    return rgb;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    const std::vector<uchar4> texels = lockstep::test_picture(side);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const std::size_t row_bytes = side * sizeof(uchar4);
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t point = 0, linear = 0;
    description.filterMode = cudaFilterModePoint;
    lockstep::check(cudaCreateTextureObject(&point, &resource, &description, nullptr));
    description.filterMode = cudaFilterModeLinear;
    lockstep::check(cudaCreateTextureObject(&linear, &resource, &description, nullptr));

    lockstep::device_buffer<ways> d_out(std::size_t(pixels) * pixels);
    d_out.fill_bytes(0xFF);
    const dim3 grid((pixels + 15) / 16, (pixels + 15) / 16);
    zoom<<<grid, dim3(16, 16)>>>(point, linear, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<ways> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(point));
    lockstep::check(cudaDestroyTextureObject(linear));
    lockstep::check(cudaFreeArray(array));

    const auto levels = [](float4 part) {
        return float3{255 * part.x, 255 * part.y, 255 * part.z};
    };
    const auto apart = [&](const ways& pixel) {  // of 255 levels
        const float3 a = levels(pixel.linear), b = levels(pixel.exact);
        return float3{std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)};
    };
    std::size_t wrong_points = 0;
    double largest = 0, wrong_exact = 0;
    for (int i = 0; i < pixels * pixels; ++i) {
        const int x = left + i % pixels / factor, y = top + i / pixels / factor;
        const uchar4 texel = texels[y * side + x];
        const float3 found = levels(out[i].point);
        wrong_points += !(std::abs(found.x - texel.x) < 0.01f &&
                          std::abs(found.y - texel.y) < 0.01f &&
                          std::abs(found.z - texel.z) < 0.01f);
        const float3 error = apart(out[i]);
        largest = std::max(largest, double(std::max({error.x, error.y, error.z})));
        // red once more on the host, for the kernel's own interpolation
        const double u = left + (i % pixels + 0.5) / factor - 0.5;
        const double v = top + (i / pixels + 0.5) / factor - 0.5;
        const int column = static_cast<int>(u), row = static_cast<int>(v);
        const auto red = [&](int dx, int dy) {
            return double(texels[(row + dy) * side + column + dx].x);
        };
        const double upper = red(0, 0) + (u - column) * (red(1, 0) - red(0, 0));
        const double lower = red(0, 1) + (u - column) * (red(1, 1) - red(0, 1));
        const double expected = upper + (v - row) * (lower - upper);
        wrong_exact += !(std::abs(levels(out[i].exact).x - expected) < 0.05);
    }
    lockstep::report("pixels", pixels * pixels);
    lockstep::report("wrong point fetches", wrong_points);
    lockstep::report("wrong in the kernel's sum", wrong_exact);
    lockstep::report("linear and exact differ by", largest, "of 255");
    if (pictures) {
        const auto write = [&](const char* file, auto pick) {
            lockstep::write_pixmap(file, pixels, pixels, rgb_of(out, pick));
        };
        write("zoomed_point.ppm", [&](const ways& p) { return levels(p.point); });
        write("zoomed_linear.ppm", [&](const ways& p) { return levels(p.linear); });
        write("zoomed_difference.ppm", [&](const ways& p) {
            const float3 error = apart(p);  // 200 times as bright as it is
            return float3{200 * error.x, 200 * error.y, 200 * error.z};
        });
    }
    // Each axis has a weight with eight bits of fraction, wrong by less than 1/256;
    // texels differ by at most 255 levels. So less than 1 level for each axis.
    const bool right = wrong_points == 0 && wrong_exact == 0 && largest < 2;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
