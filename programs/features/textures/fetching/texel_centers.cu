// Which texel does a coordinate mean? Texel i covers the coordinates from i to i + 1,
// and its center is at i + 0.5. A point fetch returns the texel that covers the
// coordinate. A linear fetch returns a texel alone only at its center.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Fetches a texture of one dimension, or of two, at some places; one block.
/// @param point   texture that does not interpolate
/// @param linear  texture of the same array that does
/// @param at      coordinates in device memory, one pair for each thread
/// @param out     for each thread what both textures return, written
__global__ void fetch_1d(cudaTextureObject_t point, cudaTextureObject_t linear,
                         const float2* at, float2* out) {
    const float2 place = at[threadIdx.x];
    out[threadIdx.x] = {tex1D<float>(point, place.x), tex1D<float>(linear, place.x)};
}

/// The same of a texture of two dimensions.
/// @param point   texture that does not interpolate
/// @param linear  texture of the same array that does
/// @param at      coordinates in device memory, one pair for each thread
/// @param out     for each thread what both textures return, written
__global__ void fetch_2d(cudaTextureObject_t point, cudaTextureObject_t linear,
                         const float2* at, float2* out) {
    const float2 place = at[threadIdx.x];
    out[threadIdx.x] = {tex2D<float>(point, place.x, place.y),
                        tex2D<float>(linear, place.x, place.y)};
}
// [/kernels]

/// A coordinate with what both textures return there.
struct expectation {
    float2 at;     ///< the second is unused in one dimension
    float point;   ///< by a point fetch
    float linear;  ///< by a linear fetch
};

/// Fetches, prints, and counts what is not as expected.
int wrong_fetches(cudaArray_t array, bool flat,
                  const std::vector<expectation>& expected) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    // [objects]
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeElementType;  // floats as they are
    description.filterMode = cudaFilterModePoint;
    cudaTextureObject_t point = 0, linear = 0;
    lockstep::check(cudaCreateTextureObject(&point, &resource, &description, nullptr));
    description.filterMode = cudaFilterModeLinear;
    lockstep::check(cudaCreateTextureObject(&linear, &resource, &description, nullptr));
    // [/objects]
    std::vector<float2> at;
    for (const expectation& one : expected) at.push_back(one.at);
    const lockstep::device_buffer<float2> d_at(at);
    lockstep::device_buffer<float2> d_out(at.size());
    d_out.fill_bytes(0xFF);
    const auto kernel = flat ? fetch_2d : fetch_1d;
    kernel<<<1, static_cast<unsigned>(at.size())>>>(point, linear, d_at.data(),
                                                    d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float2> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(point));
    lockstep::check(cudaDestroyTextureObject(linear));

    int wrong = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
        char place[40], found[48];
        flat ? std::snprintf(place, sizeof place, "x = %g, y = %g", at[i].x, at[i].y)
             : std::snprintf(place, sizeof place, "x = %g", at[i].x);
        std::snprintf(found, sizeof found, "point %g, linear %g", out[i].x, out[i].y);
        lockstep::report(place, found);
        // exact: all weights are quarters, and all sums fit into a float
        wrong += !(out[i].x == expected[i].point && out[i].y == expected[i].linear);
    }
    return wrong;
}

int main() {
    lockstep::require_device();

    // [texels]
    const std::vector<float> row = {10, 20, 40, 80};
    const std::vector<float> square = {10, 20,   // y = 0
                                       30, 60};  // y = 1
    // [/texels]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t line = nullptr, plane = nullptr;
    lockstep::check(cudaMallocArray(&line, &format, 4));
    lockstep::check(cudaMemcpy2DToArray(line, 0, 0, row.data(), 4 * sizeof(float),
                                        4 * sizeof(float), 1, cudaMemcpyHostToDevice));
    lockstep::check(cudaMallocArray(&plane, &format, 2, 2));
    lockstep::check(cudaMemcpy2DToArray(plane, 0, 0, square.data(), 2 * sizeof(float),
                                        2 * sizeof(float), 2, cudaMemcpyHostToDevice));

    int wrong = wrong_fetches(line, false,
                              {{{0.5f, 0}, 10, 10},
                               {{0.75f, 0}, 10, 12.5f},
                               {{1.0f, 0}, 20, 15},
                               {{1.5f, 0}, 20, 20},
                               {{2.25f, 0}, 40, 35},
                               {{3.75f, 0}, 80, 80}});
    wrong += wrong_fetches(
        plane, true,
        {{{0.5f, 0.5f}, 10, 10}, {{1.0f, 0.5f}, 20, 15}, {{1.0f, 1.0f}, 60, 30}});
    lockstep::check(cudaFreeArray(line));
    lockstep::check(cudaFreeArray(plane));
    lockstep::report("as expected", wrong == 0);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
