// What does a fetch beyond the edge return? What the addressing mode says: the texture
// again (wrap), the texture reversed (mirror), its last texel (clamp), or a color
// (border). Wrap and mirror need normalized coordinates; without them, wrap acts as
// clamp.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 4;           // texels
constexpr int places = 3 * n;  // one texture's width on each side of it

// [kernel]
/// Fetches the centers of all texels, and of those that would lie next to them.
/// @param texture  of n texels
/// @param texel    width of a texel in the coordinates of this texture
/// @param out      3 n floats in device memory, written; one block of as many threads
__global__ void fetch_around(cudaTextureObject_t texture, float texel, float* out) {
    const int i = static_cast<int>(threadIdx.x) - n;
    out[threadIdx.x] = tex1D<float>(texture, (i + 0.5f) * texel);
}

/// Fetches the left edge of the texture, halfway between two texels.
/// @param texture  that interpolates
/// @param out      one float in device memory, written
__global__ void fetch_edge(cudaTextureObject_t texture, float* out) {
    *out = tex1D<float>(texture, 0.0f);
}
// [/kernel]

int main() {
    lockstep::require_device();

    const std::vector<float> texels = {10, 20, 30, 40};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, n));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), n * sizeof(float),
                                        n * sizeof(float), 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;

    // [cases]
    const std::vector<float> clamped = {10, 10, 10, 10, 10, 20, 30, 40, 40, 40, 40, 40};
    const struct {
        const char* name;
        cudaTextureAddressMode mode;
        int normalized;
        float border;  // color of the border
        std::vector<float> around;
        float edge;  // halfway between the first texel and what precedes it
    } cases[] = {
        {"wrap",
         cudaAddressModeWrap,
         1,
         0,
         {10, 20, 30, 40, 10, 20, 30, 40, 10, 20, 30, 40},
         25},
        {"mirror",
         cudaAddressModeMirror,
         1,
         0,
         {40, 30, 20, 10, 10, 20, 30, 40, 40, 30, 20, 10},
         10},
        {"clamp", cudaAddressModeClamp, 1, 0, clamped, 10},
        {"border",
         cudaAddressModeBorder,
         1,
         0,
         {0, 0, 0, 0, 10, 20, 30, 40, 0, 0, 0, 0},
         5},
        {"border with color 6",
         cudaAddressModeBorder,
         1,
         6,
         {6, 6, 6, 6, 10, 20, 30, 40, 6, 6, 6, 6},
         8},
        {"wrap, not normalized", cudaAddressModeWrap, 0, 0, clamped, 10},
    };
    // [/cases]

    lockstep::device_buffer<float> d_around(places), d_edge(1);
    int wrong = 0;
    for (const auto& one : cases) {
        d_around.fill_bytes(0xFF);
        d_edge.fill_bytes(0xFF);
        // [objects]
        cudaTextureDesc description{};
        description.addressMode[0] = one.mode;
        description.borderColor[0] = one.border;  // of the first component
        description.normalizedCoords = one.normalized;
        description.readMode = cudaReadModeElementType;
        cudaTextureObject_t point = 0, linear = 0;
        description.filterMode = cudaFilterModePoint;
        lockstep::check(
            cudaCreateTextureObject(&point, &resource, &description, nullptr));
        description.filterMode = cudaFilterModeLinear;
        lockstep::check(
            cudaCreateTextureObject(&linear, &resource, &description, nullptr));
        // [/objects]
        fetch_around<<<1, places>>>(point, one.normalized ? 1.0f / n : 1.0f,
                                    d_around.data());
        lockstep::check(cudaGetLastError());
        fetch_edge<<<1, 1>>>(linear, d_edge.data());
        lockstep::check(cudaGetLastError());
        const std::vector<float> around = d_around.to_host();
        const float edge = d_edge.to_host()[0];
        lockstep::check(cudaDestroyTextureObject(point));
        lockstep::check(cudaDestroyTextureObject(linear));

        std::string text;
        for (int i = 0; i < places; ++i)
            text += (i == n || i == 2 * n ? " | "
                     : i                  ? " "
                                          : "") +
                    std::to_string(static_cast<int>(around[i]));
        lockstep::report(one.name, text.c_str());
        lockstep::report("  left edge, linear", edge);
        wrong += around != one.around || !(edge == one.edge);  // exact: weights 1/2
    }
    lockstep::check(cudaFreeArray(array));
    lockstep::report("as expected", wrong == 0);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
