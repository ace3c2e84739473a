// When does a texture make a rotation faster? When rows of threads run across the rows
// of the picture. There each of four plain loads touches a line of memory for every
// thread, and one linear fetch replaces all four. An array keeps texels that are near
// in both directions near in memory, so a fetch costs about the same at any angle.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_profiler_api.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// A rotation about the center of a square picture.
struct rotation {
    int side;  ///< texels of the picture's side, and pixels of the result's
    float cosine, sine;  ///< of the angle

    /// Where a pixel's color comes from: the same on both sides, bit for bit.
    __host__ __device__ float2 source(int x, int y) const {
        const float center = 0.5f * side;
        const float u = x + 0.5f - center, v = y + 0.5f - center;
        return {fmaf(cosine, u, fmaf(-sine, v, center)),
                fmaf(sine, u, fmaf(cosine, v, center))};
    }
};

/// The texel of the picture in a column and a row: a pattern without repetition nearby.
__host__ __device__ inline float texel_at(int x, int y) {
    return static_cast<float>((7 * x + 13 * y + (x * y >> 5)) & 255);
}

/// Fills the picture.
/// @param side     texels of a side
/// @param picture  side * side floats in device memory, written
__global__ void paint(int side, float* picture) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side) picture[std::size_t(y) * side + x] = texel_at(x, y);
}

// [sources]
/// A picture that is read by fetches.
struct fetched {
    cudaTextureObject_t texture;  ///< its filter decides between one texel and four
    __device__ float operator()(float2 at) const {
        return tex2D<float>(texture, at.x, at.y);
    }
};

/// A picture that is read by plain loads, its edge continued.
struct loaded {
    int side;  ///< texels of a side
    const float* picture;  ///< in device memory
    __device__ float texel(int x, int y) const {
        x = min(max(x, 0), side - 1);
        y = min(max(y, 0), side - 1);
        return picture[std::size_t(y) * side + x];
    }
};
/// One load for each pixel.
struct loaded_point : loaded {
    __device__ float operator()(float2 at) const {
        return texel(static_cast<int>(floorf(at.x)), static_cast<int>(floorf(at.y)));
    }
};
/// Four loads for each pixel, and the interpolation.
struct loaded_linear : loaded {
    __device__ float operator()(float2 at) const {
        const float column = floorf(at.x - 0.5f), row = floorf(at.y - 0.5f);
        const float right = at.x - 0.5f - column, below = at.y - 0.5f - row;
        const int x = static_cast<int>(column), y = static_cast<int>(row);
        const float upper = texel(x, y) + right * (texel(x + 1, y) - texel(x, y));
        const float lower =
            texel(x, y + 1) + right * (texel(x + 1, y + 1) - texel(x, y + 1));
        return upper + below * (lower - upper);
    }
};
// [/sources]

// [kernel]
/// Rotates a picture.
/// @tparam Picture  what returns a color for a place in the picture
/// @param turn      the rotation
/// @param picture   the picture
/// @param out       side * side floats in device memory, written
template <class Picture>
__global__ void rotate(rotation turn, Picture picture, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < turn.side && y < turn.side)
        out[std::size_t(y) * turn.side + x] = picture(turn.source(x, y));
}
// [/kernel]

/// How many of some pixels are wrong.
/// @param turn    the rotation
/// @param linear  whether the picture was interpolated
/// @param out     the whole result
std::size_t wrong_pixels(const rotation& turn, bool linear,
                         const std::vector<float>& out) {
    const int last = turn.side - 1;
    const auto texel = [&](int x, int y) {
        return double(texel_at(x < 0      ? 0
                               : x > last ? last
                                          : x,
                               y < 0      ? 0
                               : y > last ? last
                                          : y));
    };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < out.size(); i += 1 + out.size() / 500'000) {
        const float2 at = turn.source(static_cast<int>(i % turn.side),
                                      static_cast<int>(i / turn.side));
        const double x = linear ? at.x - 0.5 : at.x, y = linear ? at.y - 0.5 : at.y;
        const int column = static_cast<int>(std::floor(x));
        const int row = static_cast<int>(std::floor(y));
        const double right = x - column, below = y - row;
        if (linear) {
            const double upper = texel(column, row) +
                                 right * (texel(column + 1, row) - texel(column, row));
            const double lower =
                texel(column, row + 1) +
                right * (texel(column + 1, row + 1) - texel(column, row + 1));
            // a weight of 8 bits is wrong by less than 1/256, texels differ by 255 at
            // most: less than 1 for each axis, and rounding
            wrong += !(std::abs(out[i] - (upper + below * (lower - upper))) < 2.1);
        } else if (std::abs(right - 0.5) < 0.49 && std::abs(below - 0.5) < 0.49) {
            wrong += !(out[i] == texel(column, row));  // not next to another texel
        }
    }
    return wrong;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = options.integer("side", 8192, 64, 16384);
    const int angle = options.integer("angle", -1, 0, 90);  // -1: all of them
    const int columns = 32 >> options.choice("columns", {"32", "16", "8"});
    const bool once = options.flag("once");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // [memory]
    float* d_picture = nullptr;
    std::size_t pitch = 0;
    const std::size_t row_bytes = side * sizeof(float);
    lockstep::device_buffer<float> d_rows(std::size_t(side) * side);
    const dim3 block(columns, 256 / columns);
    const dim3 grid((side + block.x - 1) / block.x, (side + block.y - 1) / block.y);
    paint<<<grid, block>>>(side, d_rows.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMallocPitch(&d_picture, &pitch, row_bytes, side));
    lockstep::check(cudaMemcpy2D(d_picture, pitch, d_rows.data(), row_bytes, row_bytes,
                                 side, cudaMemcpyDeviceToDevice));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, d_rows.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyDeviceToDevice));
    // [/memory]
    cudaResourceDesc of_array{}, of_pitched{};
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    of_pitched.resType = cudaResourceTypePitch2D;
    of_pitched.res.pitch2D.devPtr = d_picture;
    of_pitched.res.pitch2D.desc = format;
    of_pitched.res.pitch2D.width = side;
    of_pitched.res.pitch2D.height = side;
    of_pitched.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t point = 0, linear = 0, pitched = 0;
    description.filterMode = cudaFilterModePoint;
    lockstep::check(cudaCreateTextureObject(&point, &of_array, &description, nullptr));
    description.filterMode = cudaFilterModeLinear;
    lockstep::check(cudaCreateTextureObject(&linear, &of_array, &description, nullptr));
    lockstep::check(
        cudaCreateTextureObject(&pitched, &of_pitched, &description, nullptr));

    if (!once) {
        const auto copy = [&] {
            lockstep::check(cudaMemcpy2DToArrayAsync(array, 0, 0, d_rows.data(),
                                                     row_bytes, row_bytes, side,
                                                     cudaMemcpyDeviceToDevice));
        };
        const double us = 1e3 * lockstep::time_on_device(copy).median_ms;
        lockstep::report("copy into the array", lockstep::measured{us}, "us");
    }

    lockstep::device_buffer<float> d_out(std::size_t(side) * side);
    rotation turn{side, 1, 0};
    const auto launch = [&](auto picture) {
        rotate<<<grid, block>>>(turn, picture, d_out.data());
        lockstep::check(cudaGetLastError());
    };
    // [ways]
    const loaded rows{side, d_rows.data()};
    const char* names[] = {"linear fetch of array", "linear fetch of pitched",
                           "four loads", "point fetch of array", "one load"};
    const auto run = [&](std::size_t way) {
        switch (way) {
            case 0: return launch(fetched{linear});
            case 1: return launch(fetched{pitched});
            case 2: return launch(loaded_linear{rows});
            case 3: return launch(fetched{point});
            default: return launch(loaded_point{rows});
        }
    };
    // [/ways]

    lockstep::csv_file file(csv, "angle,way,~us");
    std::size_t wrong = 0;
    for (const int degrees : {0, 5, 15, 30, 45, 60, 75, 90}) {
        if (angle >= 0 && degrees != angle) continue;
        turn.cosine = static_cast<float>(std::cos(degrees * 3.14159265358979 / 180));
        turn.sine = static_cast<float>(std::sin(degrees * 3.14159265358979 / 180));
        for (std::size_t way = 0; way < 5; ++way) {
            d_out.fill_bytes(0xFF);
            if (once) {
                lockstep::check(cudaDeviceSynchronize());
                lockstep::check(cudaProfilerStart());
            }
            run(way);
            lockstep::check(cudaDeviceSynchronize());
            if (once) {
                lockstep::check(cudaProfilerStop());
                std::printf("way %s\n", names[way]);
            }
            if (degrees == 30 || angle >= 0)
                wrong += wrong_pixels(turn, way < 3, d_out.to_host());
        }
        if (once) continue;
        const std::vector<lockstep::timing> times = lockstep::time_in_turns(5, run);
        for (std::size_t way = 0; way < 5; ++way) {
            const double us = 1e3 * times[way].median_ms;
            file.row("%d,%s,%.4g", degrees, names[way], us);
            if (degrees % 90 == 0)
                lockstep::report((std::to_string(degrees) + ": " + names[way]).c_str(),
                                 lockstep::measured{us}, "us");
        }
    }
    file.finish();
    lockstep::check(cudaDestroyTextureObject(point));
    lockstep::check(cudaDestroyTextureObject(linear));
    lockstep::check(cudaDestroyTextureObject(pitched));
    lockstep::check(cudaFreeArray(array));
    lockstep::check(cudaFree(d_picture));
    lockstep::report("wrong pixels", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
