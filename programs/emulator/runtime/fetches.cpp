// Fetches from texture objects by device code.

#include <cmath>
#include <cstring>

#include "faults.hpp"
#include "filters.hpp"

namespace emulator {

namespace {

// Which function reads a texture.
int function_for(const texture_object& texture) {
    return texture.linear ? int(abi::fetch_linear) : function_for(*texture.levels[0]);
}

constexpr const char* function_names[] = {
    "tex1Dfetch",   "tex1D",        "tex2D",      "tex3D",
    "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered",
    "tex2Dgather",  "tex2DGrad"};

const texture_object& usable(unsigned long long object, int function, const code_place& at) {
    const texture_object* const texture = find_texture(object);
    const auto wrong = [&](const std::string& what) {
        fault(cudaErrorIllegalAddress, place_text(at.file, at.line), what);
    };
    if (!texture) wrong("fetches from what is no texture object");
    if (texture->destroyed) wrong("fetches from a texture object that was destroyed");
    if (!texture->levels[0]->data) wrong("fetches from a CUDA array that was freed");
    const int wanted = function_for(*texture);
    const int asked =
        function == abi::gather_2d || function == abi::gradient_2d ? int(abi::fetch_2d) : function;
    if (asked != wanted)
        wrong(std::string(function_names[function]) + " fetches from a texture that " +
              function_names[wanted] + " reads");
    if (function == abi::gather_2d && !(texture->levels[0]->flags & cudaArrayTextureGather) &&
        texture->pitch == 0)
        wrong("gathers from a CUDA array that was allocated without cudaArrayTextureGather");
    return *texture;
}

// Whether texels may be fetched as a type: by kind and size, and by how many components it has.
void check_type(const texture_object& texture, const texel_reader& reader, int type, bool gather) {
    const texel_format& format = texture.levels[0]->format;
    const bool as_float = format.kind == abi::texel_float ||
                          texture.description.readMode == cudaReadModeNormalizedFloat;
    const int kind = as_float ? int(abi::texel_float) : format.kind;
    const int bytes = as_float ? 4 : format.bytes;
    static constexpr const char* kinds[] = {"signed", "unsigned", "float"};
    const auto text = [](int of_kind, int of_bytes) {
        return std::string(kinds[of_kind]) + " components of " + std::to_string(8 * of_bytes) +
               " bits";
    };
    if (abi::texel_kind_of(type) != kind || abi::texel_bytes_of(type) != bytes)
        reader.wrong(cudaErrorLaunchFailure,
                     "fetches " + text(abi::texel_kind_of(type), abi::texel_bytes_of(type)) +
                         " from a texture that gives " + text(kind, bytes));
    if (!gather && abi::texel_components_of(type) > format.components)
        reader.wrong(cudaErrorLaunchFailure,
                     "fetches " + std::to_string(abi::texel_components_of(type)) +
                         " components from texels with " + std::to_string(format.components));
}

// The level where neighboring pixels are a texel apart. What an H200 takes for the length of a
// gradient, and how it rounds the logarithm, follows from the levels and the picture that were
// recorded there; other gradients may lead to a level that is 1/256 higher or lower.
double level_of_gradient(const texture_object& texture, const float* along) {
    const texel_array& base = *texture.levels[0];
    const bool normalized = texture.description.normalizedCoords;
    const double width = normalized ? double(base.extent.width) : 1;
    const double height = normalized ? double(base.extent.height) : 1;
    const auto length = [&](const float* step) {
        const double x = std::fabs(step[0] * width), y = std::fabs(step[1] * height);
        return std::fmax(x, y) + 0.375 * std::fmin(x, y);
    };
    const double longest = std::fmax(length(along), length(along + 2));
    constexpr double fine = 65536;
    return longest > 0 ? std::floor(std::log2(longest) * fine + 0.5) / fine : 0;
}

// The level that a function asks for, from its base level on.
double level_for(const texture_object& texture, int function, const float* level) {
    double wanted = 0;
    const cudaTextureDesc& how = texture.description;
    if (level) {
        wanted = function == abi::gradient_2d ? level_of_gradient(texture, level) : double(*level);
        wanted += double(how.mipmapLevelBias);
    }
    if (texture.levels.size() > 1) {
        wanted = std::fmin(wanted, double(how.maxMipmapLevelClamp));
        wanted = std::fmax(wanted, double(how.minMipmapLevelClamp));
    }
    const double last = double(texture.levels.size() - 1);
    return !(wanted > 0) ? 0 : wanted > last ? last : wanted;
}

void put(void* to, int type, const texel& found) {
    auto* bytes = static_cast<unsigned char*>(to);
    const int size = abi::texel_bytes_of(type);
    for (int i = 0; i < abi::texel_components_of(type); ++i, bytes += size) {
        const double part = found.parts[i];
        if (abi::texel_kind_of(type) == abi::texel_float) {
            const auto value = float(part);
            memcpy(bytes, &value, sizeof value);
        } else {
            const auto value = int64_t(part);
            memcpy(bytes, &value, size_t(size));
        }
    }
}

texel fetched(const texture_object& texture, const texel_reader& reader, int function,
              const float* at, int layer, const float* level) {
    const texel_array& base = *texture.levels[0];
    const texture_place place{double(at[0]), double(at[1]), double(at[2]), layer};
    if (function == abi::gather_2d) return gathered(reader, base, place.x, place.y, layer);
    if (function == abi::fetch_linear) {
        if (layer < 0 || layer >= int64_t(base.extent.width))
            reader.wrong(cudaErrorIllegalAddress, "fetches texel " + std::to_string(layer) +
                                                      " of " + std::to_string(base.extent.width));
        return reader.held(base, {layer, 0, 0});
    }
    const double wanted = level_for(texture, function, level);
    const bool between_levels = texture.description.mipmapFilterMode == cudaFilterModeLinear;
    const auto parts = int64_t(
        std::floor(between_levels ? wanted * whole + 0.5 : std::floor(wanted + 0.5) * whole));
    const auto finer = size_t(parts / whole);
    const int coarser = int(parts % whole);
    texel sum;
    add_fetched(reader, *texture.levels[finer], place, whole - coarser, sum);
    if (coarser) add_fetched(reader, *texture.levels[finer + 1], place, coarser, sum);
    return sum;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_texture(unsigned long long object, int function, const float* at, int layer,
                              const float* level, int type, void* result, const char* file,
                              int line) {
    const code_place place{file, line};
    const texture_object& texture = usable(object, function, place);
    const texel_reader reader(texture, place);
    check_type(texture, reader, type, function == abi::gather_2d);
    put(result, type, reader.rounded(fetched(texture, reader, function, at, layer, level)));
}
