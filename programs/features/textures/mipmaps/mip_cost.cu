// Do mipmaps save time? A picture of 8192 x 8192 texels is scaled down by 1 to 32, from
// level 0 and from the level that fits. Then the program measures what the levels cost:
// one kernel for each of them.

#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr dim3 block_size(32, 8);
constexpr int most_levels = 16;

/// The texel of level 0 in a column and a row.
__host__ __device__ uchar4 texel_of(int x, int y) {
    return {static_cast<unsigned char>(x), static_cast<unsigned char>(y),
            static_cast<unsigned char>(x ^ y), 255};
}

/// Fills level 0; a thread for each texel.
/// @param side  texels of a side
/// @param to    surface of level 0
__global__ void paint(int side, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    surf2Dwrite(texel_of(x, y), to, x * int(sizeof(uchar4)), y);
}

/// The mean of four numbers, rounded.
__device__ unsigned char mean(int a, int b, int c, int d) {
    return static_cast<unsigned char>((a + b + c + d + 2) / 4);
}

/// Makes a level from the one before it; a thread for each texel.
/// @param side  texels of a side of the new level
/// @param from  surface of the level with 2 * side texels in a row
/// @param to    surface of the new level
__global__ void halve(int side, cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    constexpr int bytes = sizeof(uchar4);
    const uchar4 a = surf2Dread<uchar4>(from, 2 * x * bytes, 2 * y);
    const uchar4 b = surf2Dread<uchar4>(from, (2 * x + 1) * bytes, 2 * y);
    const uchar4 c = surf2Dread<uchar4>(from, 2 * x * bytes, 2 * y + 1);
    const uchar4 d = surf2Dread<uchar4>(from, (2 * x + 1) * bytes, 2 * y + 1);
    const uchar4 half = {mean(a.x, b.x, c.x, d.x), mean(a.y, b.y, c.y, d.y),
                         mean(a.z, b.z, c.z, d.z), 255};
    surf2Dwrite(half, to, x * bytes, y);
}

// [kernel]
/// Scales a picture down; a thread for each pixel.
/// @param out      pixels of a side of the result
/// @param pyramid  mipmapped texture of four components, read as 0 to 1
/// @param level    the level to read
/// @param pixels   out * out pixels in device memory, written
__global__ void scale(int out, cudaTextureObject_t pyramid, float level,
                      uchar4* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out || y >= out) return;
    const float u = (x + 0.5f) / out, v = (y + 0.5f) / out;
    const float4 color = tex2DLod<float4>(pyramid, u, v, level);
    const auto byte = [](float part) {
        return static_cast<unsigned char>(__float2int_rn(255 * part));
    };
    pixels[std::size_t(y) * out + x] = {byte(color.x), byte(color.y), byte(color.z),
                                        byte(color.w)};
}
// [/kernel]

/// A grid with a thread for each element of a square.
dim3 grid_of(int side) {
    return dim3((side + block_size.x - 1) / block_size.x,
                (side + block_size.y - 1) / block_size.y);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int log_side = options.integer("log-side", 13, 6, 14);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const int side = 1 << log_side, levels = log_side + 1;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(cudaMallocMipmappedArray(&pyramid, &format,
                                             make_cudaExtent(side, side, 0), levels,
                                             cudaArraySurfaceLoadStore));
    cudaArray_t arrays[most_levels] = {};
    cudaSurfaceObject_t surfaces[most_levels] = {};
    for (int level = 0; level < levels; ++level) {
        lockstep::check(cudaGetMipmappedArrayLevel(&arrays[level], pyramid, level));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[level];
        lockstep::check(cudaCreateSurfaceObject(&surfaces[level], &resource));
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.mipmapFilterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = static_cast<float>(levels - 1);
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    paint<<<grid_of(side), block_size>>>(side, surfaces[0]);
    lockstep::check(cudaGetLastError());
    // [build]
    const auto build = [&] {
        for (int level = 1; level < levels; ++level) {
            const int of_level = side >> level;
            halve<<<grid_of(of_level), block_size>>>(of_level, surfaces[level - 1],
                                                     surfaces[level]);
        }
        lockstep::check(cudaGetLastError());
    };
    // [/build]
    build();

    lockstep::device_buffer<uchar4> d_pixels(std::size_t(side) * side);
    lockstep::csv_file series(csv, "scale,level,~us_per_million");
    std::size_t wrong = 0;
    for (int level = 0; level < 6; ++level) {
        const int out = side >> level;
        const auto from = [&](float of_level) {
            scale<<<grid_of(out), block_size>>>(out, texture, of_level,
                                                d_pixels.data());
            lockstep::check(cudaGetLastError());
        };
        // the centers of pixels are the centers of texels of the level: no filtering
        d_pixels.fill_bytes(0);
        from(static_cast<float>(level));
        std::vector<uchar4> found = d_pixels.to_host(), texels(std::size_t(out) * out);
        const std::size_t row_bytes = out * sizeof(uchar4);
        lockstep::check(cudaMemcpy2DFromArray(texels.data(), row_bytes, arrays[level],
                                              0, 0, row_bytes, out,
                                              cudaMemcpyDeviceToHost));
        for (std::size_t i = 0; i < texels.size(); ++i) {
            const uchar4 want =
                level == 0 ? texel_of(int(i % out), int(i / out)) : texels[i];
            wrong += found[i].x != want.x || found[i].y != want.y ||
                     found[i].z != want.z || found[i].w != want.w;
        }
        if (untimed) continue;
        const double millions = static_cast<double>(out) * out * 1e-6;
        const auto us_from = [&](int of_level) {
            const auto work = [&] { from(static_cast<float>(of_level)); };
            return lockstep::time_back_to_back(work).median_ms * 1e3;
        };
        const double of_level_0 = us_from(0), of_fitting = us_from(level);
        series.row("%d,\"level 0\",%.4g", 1 << level, of_level_0 / millions);
        series.row("%d,\"the level that fits\",%.4g", 1 << level,
                   of_fitting / millions);
        if (level == 3) {
            lockstep::report("scale 8, level 0", lockstep::measured{of_level_0}, "us");
            lockstep::report("scale 8, level 3", lockstep::measured{of_fitting}, "us");
        }
    }
    if (!untimed)
        lockstep::report(
            "making all levels",
            lockstep::measured{lockstep::time_back_to_back(build).median_ms * 1e3},
            "us");
    lockstep::report("wrong pixels", wrong);
    series.finish();

    lockstep::check(cudaDestroyTextureObject(texture));
    for (int level = 0; level < levels; ++level)
        lockstep::check(cudaDestroySurfaceObject(surfaces[level]));
    lockstep::check(cudaFreeMipmappedArray(pyramid));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
