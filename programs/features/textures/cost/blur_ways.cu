// Does a texture make a blur faster? No: plain loads of whole rows are faster than
// fetches, and a branch in the outer blocks handles the edges as well. The filter only
// makes fetches fewer: one between four texels returns their mean, so that 5 x 5 texels
// take 9 fetches.

#include <cmath>  // std::abs of a float
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include <cuda_profiler_api.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// The texel of the picture in a column and a row: a whole number below 256.
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

// [loads]
/// Adds up the square around a texel by loads, with each index clamped to the picture.
struct clamped_loads {
    const float* picture;  ///< side * side floats in device memory
    template <int R>
    __device__ float sum(int side, int x, int y) const {
        float total = 0;
#pragma unroll
        for (int dy = -R; dy <= R; ++dy)
#pragma unroll
            for (int dx = -R; dx <= R; ++dx) {
                const int column = min(max(x + dx, 0), side - 1);
                const int row = min(max(y + dy, 0), side - 1);
                total += picture[std::size_t(row) * side + column];
            }
        return total;
    }
};

/// The same, with clamped indices only in blocks that touch the edge.
struct inner_loads {
    const float* picture;  ///< side * side floats in device memory
    template <int R>
    __device__ float sum(int side, int x, int y) const {
        const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
        const int right = left + blockDim.x, bottom = top + blockDim.y;
        if (left < R || top < R || right + R > side || bottom + R > side)
            return clamped_loads{picture}.sum<R>(side, x, y);
        const float* texel = picture + std::size_t(y) * side + x;
        float total = 0;
#pragma unroll
        for (int dy = -R; dy <= R; ++dy)
#pragma unroll
            for (int dx = -R; dx <= R; ++dx) total += texel[dy * side + dx];
        return total;
    }
};
// [/loads]

// [fetches]
/// Adds up the square by one fetch for each texel; the texture clamps.
struct point_fetches {
    cudaTextureObject_t picture;  ///< with the point filter
    template <int R>
    __device__ float sum(int, int x, int y) const {
        float total = 0;
#pragma unroll
        for (int dy = -R; dy <= R; ++dy)
#pragma unroll
            for (int dx = -R; dx <= R; ++dx)
                total += tex2D<float>(picture, x + dx + 0.5f, y + dy + 0.5f);
        return total;
    }
};

/// Adds up the square by fetches between four texels, or two at its last row and
/// column.
struct linear_fetches {
    cudaTextureObject_t picture;  ///< with the linear filter
    template <int R>
    __device__ float sum(int, int x, int y) const {
        float total = 0;
#pragma unroll
        for (int dy = -R; dy <= R; dy += 2)
#pragma unroll
            for (int dx = -R; dx <= R; dx += 2) {
                const float wide = dx < R ? 2 : 1, high = dy < R ? 2 : 1;
                total += wide * high *
                         tex2D<float>(picture, x + dx + wide / 2, y + dy + high / 2);
            }
        return total;
    }
};
// [/fetches]

// [kernel]
/// Replaces each texel by the mean of the square around it.
/// @tparam R      texels from the center of the square to its side
/// @tparam Ways   what adds up a square
/// @param side    texels of the picture's side
/// @param square  adds up a square
/// @param out     side * side floats in device memory, written
template <int R, class Ways>
__global__ void blur(int side, Ways square, float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    constexpr float texels = (2 * R + 1) * (2 * R + 1);
    out[std::size_t(y) * side + x] = square.template sum<R>(side, x, y) / texels;
}
// [/kernel]

/// How many of some pixels, and of all at the upper and left edges, are wrong.
std::size_t wrong_pixels(int side, int radius, const std::vector<float>& out) {
    std::size_t wrong = 0;
    const auto inside = [&](int i) { return i < 0 ? 0 : i >= side ? side - 1 : i; };
    const auto judge = [&](int x, int y) {
        double sum = 0;
        for (int dy = -radius; dy <= radius; ++dy)
            for (int dx = -radius; dx <= radius; ++dx)
                sum += texel_at(inside(x + dx), inside(y + dy));
        const double mean = sum / ((2 * radius + 1) * (2 * radius + 1));
        // sums of whole numbers are exact; the division rounds to 24 bits, and the
        // means of two or four texels have two more bits than a texel
        wrong += !(std::abs(out[std::size_t(y) * side + x] - mean) < 0.01);
    };
    for (int i = 0; i < side; ++i) {
        judge(i, 0);
        judge(0, i);
        judge(i, side - 1);
        judge(side - 1, i);
        judge(i, (i * 37 + 5) % side);
    }
    return wrong;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = options.integer("side", 8192, 64, 16384);
    const bool once = options.flag("once");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const std::size_t row_bytes = side * sizeof(float);
    lockstep::device_buffer<float> d_picture(std::size_t(side) * side);
    lockstep::device_buffer<float> d_out(std::size_t(side) * side);
    const dim3 block(32, 8), grid((side + 31) / 32, (side + 7) / 8);
    paint<<<grid, block>>>(side, d_picture.data());
    lockstep::check(cudaGetLastError());
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, d_picture.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyDeviceToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t point = 0, linear = 0;
    description.filterMode = cudaFilterModePoint;
    lockstep::check(cudaCreateTextureObject(&point, &resource, &description, nullptr));
    description.filterMode = cudaFilterModeLinear;
    lockstep::check(cudaCreateTextureObject(&linear, &resource, &description, nullptr));

    const char* names[] = {"loads with clamped indices", "loads clamped at edges",
                           "fetches of one texel", "fetches of four texels"};
    std::size_t wrong = 0;
    lockstep::csv_file file(csv, "radius,way,~us");
    const auto sweep = [&](auto radius) {
        constexpr int r = decltype(radius)::value;
        const auto launch = [&](auto square) {
            blur<r><<<grid, block>>>(side, square, d_out.data());
            lockstep::check(cudaGetLastError());
        };
        const auto run = [&](std::size_t way) {
            switch (way) {
                case 0: return launch(clamped_loads{d_picture.data()});
                case 1: return launch(inner_loads{d_picture.data()});
                case 2: return launch(point_fetches{point});
                default: return launch(linear_fetches{linear});
            }
        };
        for (std::size_t way = 0; way < 4; ++way) {
            d_out.fill_bytes(0xFF);
            lockstep::check(cudaDeviceSynchronize());
            if (once) lockstep::check(cudaProfilerStart());
            run(way);
            lockstep::check(cudaDeviceSynchronize());
            if (once) {
                lockstep::check(cudaProfilerStop());
                std::printf("way %s\n", names[way]);
            }
            wrong += wrong_pixels(side, r, d_out.to_host());
        }
        if (once) return;
        const std::vector<lockstep::timing> times = lockstep::time_in_turns(4, run);
        for (std::size_t way = 0; way < 4; ++way) {
            const double us = 1e3 * times[way].median_ms;
            file.row("%d,%s,%.4g", r, names[way], us);
            if (r == 2) lockstep::report(names[way], lockstep::measured{us}, "us");
        }
    };
    if (!once) {
        sweep(std::integral_constant<int, 0>{});  // a copy
        sweep(std::integral_constant<int, 1>{});
    }
    sweep(std::integral_constant<int, 2>{});
    if (!once) {
        sweep(std::integral_constant<int, 3>{});
        sweep(std::integral_constant<int, 4>{});
    }
    file.finish();
    lockstep::check(cudaDestroyTextureObject(point));
    lockstep::check(cudaDestroyTextureObject(linear));
    lockstep::check(cudaFreeArray(array));
    lockstep::report("wrong pixels", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
