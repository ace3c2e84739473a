// Which four texels does a gather return, and in which order? Those of bilinear
// filtering, counterclockwise from the lower left one. The texels of this texture
// tell their place, and four single fetches are to return the same. Last, a coordinate
// that is rounded up to the next texel.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 4;
constexpr int components = 4;

// [kernels]
/// Gathers each of the four components around one place; one thread.
/// @param texels  texture of float4
/// @param x, y    the place, in texels
/// @param values  a float4 for each component in device memory, written
__global__ void gather(cudaTextureObject_t texels, float x, float y, float4* values) {
    values[0] = tex2Dgather<float4>(texels, x, y, 0);
    values[1] = tex2Dgather<float4>(texels, x, y, 1);
    values[2] = tex2Dgather<float4>(texels, x, y, 2);
    values[3] = tex2Dgather<float4>(texels, x, y, 3);
}

/// Fetches the first component of four texels, in the order of a gather; one thread.
/// @param texels  texture of float4
/// @param x, y    column and row of the upper left texel
/// @param values  one float4 in device memory, written
__global__ void fetch_four(cudaTextureObject_t texels, int x, int y, float4* values) {
    const float left = x + 0.5f, right = x + 1.5f;  // centers of texels
    const float upper = y + 0.5f, lower = y + 1.5f;
    values->x = tex2D<float4>(texels, left, lower).x;
    values->y = tex2D<float4>(texels, right, lower).x;
    values->z = tex2D<float4>(texels, right, upper).x;
    values->w = tex2D<float4>(texels, left, upper).x;
}
// [/kernels]

/// Prints what one gather, or the four fetches, returned.
void print(const char* label, const std::vector<float>& values) {
    std::printf("%-34s", label);
    for (const float value : values) std::printf("%6g", value);
    std::printf("\n");
}

int main() {
    lockstep::require_device();

    std::vector<float4> texels;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const float place = static_cast<float>(10 * y + x);
            texels.push_back({100 + place, 200 + place, 300 + place, 400 + place});
        }
    }
    // [array]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, side, side, cudaArrayTextureGather));
    // [/array]
    constexpr std::size_t row_bytes = side * sizeof(float4);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    lockstep::device_buffer<float4> d_values(components);
    const auto gather_at = [&](float x, float y) {
        d_values.fill_bytes(0xFF);
        gather<<<1, 1>>>(texture, x, y, d_values.data());
        lockstep::check(cudaGetLastError());
        std::vector<std::vector<float>> found;
        for (const float4 value : d_values.to_host())
            found.push_back({value.x, value.y, value.z, value.w});
        return found;
    };

    bool right = true;
    std::printf("%-34s%6s%6s%6s%6s\n", "", ".x", ".y", ".z", ".w");
    const auto corner = gather_at(2, 2);  // the corner that four texels share
    for (int component = 0; component < components; ++component) {
        const std::string label = "(2, 2), component " + std::to_string(component);
        print(label.c_str(), corner[component]);
        const float base = 100.0f * (component + 1);
        const std::vector<float> expected = {base + 21, base + 22, base + 12,
                                             base + 11};
        right = right && lockstep::count_mismatches(corner[component], expected) == 0;
    }
    fetch_four<<<1, 1>>>(texture, 1, 1, d_values.data());
    lockstep::check(cudaGetLastError());
    const float4 four = d_values.to_host()[0];
    const std::vector<float> fetched = {four.x, four.y, four.z, four.w};
    print("four fetches, component 0", fetched);
    right = right && lockstep::count_mismatches(fetched, corner[0]) == 0;

    // [rounding]
    print("(2.49, 2), component 0", gather_at(2.49f, 2)[0]);
    print("(2.49805, 2), component 0", gather_at(2.49805f, 2)[0]);
    print("(2.51, 2), component 0", gather_at(2.51f, 2)[0]);
    print("(0.25, 2), component 0", gather_at(0.25f, 2)[0]);
    // [/rounding]

    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
