// Is one gather faster than four fetches? For each pixel of a picture the kernels look
// for the brightest of the 4 x 4 texels around it: with 16 fetches, with 4 gathers, and
// with 16 loads from an ordinary array. All three must find the same.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>
#include <lockstep/timer.hpp>

constexpr dim3 block_size(32, 8);

// [fetches]
/// Writes the brightest of the texels x - 1 to x + 2, y - 1 to y + 2; a thread for each
/// pixel.
/// @param side       of the picture, in texels
/// @param texels     the picture as a texture of floats, clamped
/// @param brightest  side * side floats in device memory, written
__global__ void with_fetches(int side, cudaTextureObject_t texels, float* brightest) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    float most = 0;
#pragma unroll
    for (int dy = -1; dy <= 2; ++dy)
#pragma unroll
        for (int dx = -1; dx <= 2; ++dx)
            most = fmaxf(most, tex2D<float>(texels, x + dx + 0.5f, y + dy + 0.5f));
    brightest[y * side + x] = most;
}
// [/fetches]

// [gathers]
/// The brightest of the four texels around a corner.
/// @param texels  texture of floats
/// @param x, y    the corner, in texels
__device__ float brightest_around(cudaTextureObject_t texels, int x, int y) {
    const float4 four = tex2Dgather<float4>(texels, x, y);
    return fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w));
}

/// Writes the same as with_fetches.
/// @param side       of the picture, in texels
/// @param texels     the picture as a texture of floats, clamped
/// @param brightest  side * side floats in device memory, written
__global__ void with_gathers(int side, cudaTextureObject_t texels, float* brightest) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    const float upper =
        fmaxf(brightest_around(texels, x, y), brightest_around(texels, x + 2, y));
    const float lower = fmaxf(brightest_around(texels, x, y + 2),
                              brightest_around(texels, x + 2, y + 2));
    brightest[y * side + x] = fmaxf(upper, lower);
}
// [/gathers]

// [loads]
/// Writes the same as with_fetches.
/// @param side       of the picture
/// @param picture    side * side floats in device memory
/// @param brightest  side * side floats in device memory, written
__global__ void with_loads(int side, const float* __restrict__ picture,
                           float* brightest) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    float most = 0;
#pragma unroll
    for (int dy = -1; dy <= 2; ++dy) {
        const int row = min(max(y + dy, 0), side - 1);
#pragma unroll
        for (int dx = -1; dx <= 2; ++dx) {
            const int column = min(max(x + dx, 0), side - 1);
            most = fmaxf(most, picture[row * side + column]);
        }
    }
    brightest[y * side + x] = most;
}
// [/loads]

/// The brightest of the window of each pixel, computed by the host: first along rows,
/// then along columns.
std::vector<float> expected_of(int side, const std::vector<float>& picture) {
    std::vector<float> along(picture.size(), 0), all(picture.size(), 0);
    const auto inside = [&](int i) { return std::min(std::max(i, 0), side - 1); };
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            for (int d = -1; d <= 2; ++d)
                along[y * side + x] =
                    std::max(along[y * side + x], picture[y * side + inside(x + d)]);
    for (int y = 0; y < side; ++y)
        for (int d = -1; d <= 2; ++d)
            for (int x = 0; x < side; ++x)
                all[y * side + x] =
                    std::max(all[y * side + x], along[inside(y + d) * side + x]);
    return all;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = 64 * options.integer("units", 64, 1, 128);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<float> picture;
    for (const uchar4 texel : lockstep::test_picture(side))
        picture.push_back(static_cast<float>(texel.x + texel.y + texel.z));
    const std::vector<float> expected = expected_of(side, picture);

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, side, side, cudaArrayTextureGather));
    const std::size_t row_bytes = side * sizeof(float);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, picture.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texels = 0;
    lockstep::check(cudaCreateTextureObject(&texels, &resource, &description, nullptr));

    const lockstep::device_buffer<float> d_picture(picture);
    lockstep::device_buffer<float> d_brightest(picture.size());
    const dim3 grid((side + block_size.x - 1) / block_size.x,
                    (side + block_size.y - 1) / block_size.y);
    const char* labels[] = {"16 fetches", "4 gathers", "16 loads"};
    const auto launch = [&](std::size_t way) {
        float* to = d_brightest.data();
        if (way == 0)
            with_fetches<<<grid, block_size>>>(side, texels, to);
        else if (way == 1)
            with_gathers<<<grid, block_size>>>(side, texels, to);
        else
            with_loads<<<grid, block_size>>>(side, d_picture.data(), to);
        lockstep::check(cudaGetLastError());
    };

    std::size_t wrong = 0;
    for (std::size_t way = 0; way < 3; ++way) {
        d_brightest.fill_bytes(0xFF);
        launch(way);
        wrong += lockstep::count_mismatches(d_brightest.to_host(), expected);
    }
    lockstep::report("pixels", picture.size());
    lockstep::report("wrong pixels of all ways", wrong);
    if (!untimed) {
        const std::vector<lockstep::timing> times = lockstep::time_in_turns(3, launch);
        for (std::size_t way = 0; way < 3; ++way)
            lockstep::report(labels[way],
                             lockstep::measured{times[way].median_ms * 1e3}, "us");
        lockstep::report("16 fetches / 4 gathers",
                         lockstep::measured{times[0].median_ms / times[1].median_ms});
        lockstep::report("16 loads / 4 gathers",
                         lockstep::measured{times[2].median_ms / times[1].median_ms});
    }
    lockstep::check(cudaDestroyTextureObject(texels));
    lockstep::check(cudaFreeArray(array));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
