// Fetches of texels: which ones a place asks for, and what becomes of them.

#include "textures.hpp"

#include <cmath>
#include <cstring>

#include "accesses.hpp"
#include "faults.hpp"
#include "global_races.hpp"
#include "memory.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

constexpr int fraction = 256;  // the parts of a texel that a filter knows

double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double size = exponent == 0    ? std::ldexp(mantissa, -24)
                        : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                         : std::ldexp(mantissa + 1024, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

double linear_of_srgb(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double part_of(const unsigned char* bytes, const texel_format& format, bool normalized) {
    uint32_t raw = 0;
    memcpy(&raw, bytes, size_t(format.bytes));  // little-endian, as the GPU
    if (format.kind == abi::texel_float) {
        if (format.bytes == 2) return half_value(uint16_t(raw));
        float value;
        memcpy(&value, &raw, sizeof value);
        return double(value);
    }
    const int bits = 8 * format.bytes;
    if (format.kind == abi::texel_unsigned)
        return normalized ? double(float(raw) / float((uint64_t(1) << bits) - 1)) : double(raw);
    const int32_t value = int32_t(raw << (32 - bits)) >> (32 - bits);
    if (!normalized) return double(value);
    const float most = float((int64_t(1) << (bits - 1)) - 1);
    return double(std::fmax(-1.0F, float(value) / most));
}

// One fetch: of one object, by one thread.
class fetch {
public:
    fetch(const texture_object& texture, std::string place)
        : texture_(texture), how_(texture.description), place_(std::move(place)) {}

    texel point(const texel_array& array, double x, double y, double z, int64_t layer) const {
        const auto whole = [](double at) { return int64_t(std::floor(at)); };
        const texel_place at{whole(scaled(array, 0, x)), whole(scaled(array, 1, y)),
                             volume(array) ? whole(scaled(array, 2, z)) : layer};
        return addressed(array, at);
    }
    texel linear(const texel_array& array, double x, double y, double z, int64_t layer) const {
        const int axes = volume(array) ? 3 : array.extent.height ? 2 : 1;
        const double at[3] = {x, y, z};
        int64_t first[3] = {0, 0, layer};
        double weight[3] = {};
        for (int axis = 0; axis < axes; ++axis)
            split(scaled(array, axis, at[axis]), &first[axis], &weight[axis]);
        texel sum;
        for (int corner = 0; corner < 1 << axes; ++corner) {
            texel_place place{first[0], first[1], first[2]};
            double share = 1;
            for (int axis = 0; axis < axes; ++axis) {
                const bool next = corner >> axis & 1;
                (axis == 0 ? place.x : axis == 1 ? place.y : place.z) += next;
                share *= next ? weight[axis] : 1 - weight[axis];
            }
            if (share == 0) continue;
            add(sum, addressed(array, place), share);
        }
        return sum;
    }
    texel of_cube(const texel_array& array, double x, double y, double z, int64_t cube) const {
        const cube_place to = cube_place_of(x, y, z);
        const auto side = int64_t(array.extent.width);
        const double u = to.s * double(side), v = to.t * double(side);
        const int64_t layer = cube * 6 + to.face;
        if (how_.filterMode == cudaFilterModePoint)
            return held(array, {clamped(int64_t(std::floor(u)), side),
                                clamped(int64_t(std::floor(v)), side), layer});
        int64_t left, upper;
        double across, down;
        split(u, &left, &across);
        split(v, &upper, &down);
        texel sum, corners;
        double corner_share = 0;
        int met = 0;
        for (int corner = 0; corner < 4; ++corner) {
            int64_t column = left + (corner & 1), row = upper + (corner >> 1);
            const double share =
                (corner & 1 ? across : 1 - across) * (corner >> 1 ? down : 1 - down);
            int face = to.face;
            if (!how_.seamlessCubemap) {
                column = clamped(column, side);
                row = clamped(row, side);
            } else if (!across_edge(&face, &column, &row, side)) {
                corner_share = share;  // where three faces meet, there is no fourth texel
                continue;
            }
            const texel one = held(array, {column, row, cube * 6 + face});
            add(sum, one, share);
            add(corners, one, 1);
            ++met;
        }
        if (met == 3) add(sum, corners, corner_share / 3);
        return sum;
    }
    // The four texels that a linear filter would mix, one component of each.
    texel gathered(const texel_array& array, double x, double y, int component) const {
        if (component < 0 || component >= array.format.components)
            wrong("gathers component " + std::to_string(component) + " of texels with " +
                  std::to_string(array.format.components));
        int64_t left, upper;
        double unused;
        split(scaled(array, 0, x), &left, &unused);
        split(scaled(array, 1, y), &upper, &unused);
        const int64_t columns[] = {left, left + 1, left + 1, left};
        const int64_t rows[] = {upper + 1, upper + 1, upper, upper};
        texel four;
        for (int i = 0; i < 4; ++i)
            four.parts[i] = addressed(array, {columns[i], rows[i], 0}).parts[component];
        return four;
    }
    texel at_index(const texel_array& array, int64_t index) const {
        if (index < 0 || index >= int64_t(array.extent.width))
            wrong("fetches texel " + std::to_string(index) + " of " +
                  std::to_string(array.extent.width));
        return held(array, {index, 0, 0});
    }
    [[noreturn]] void wrong(const std::string& what) const {
        fault(cudaErrorIllegalAddress, place_, what);
    }

private:
    static bool volume(const texel_array& array) {
        return array.extent.depth && !array.layered() && !array.cube();
    }
    static int64_t clamped(int64_t i, int64_t size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }
    static void add(texel& sum, const texel& one, double share) {
        for (int i = 0; i < 4; ++i) sum.parts[i] += share * one.parts[i];
    }
    static int64_t size_of(const texel_array& array, int axis) {
        return int64_t(axis == 0 ? array.extent.width : axis == 1 ? array.rows() : array.slices());
    }
    // In texels, and no further away than any size matters.
    double scaled(const texel_array& array, int axis, double at) const {
        constexpr double far = 1 << 30;
        if (!(at == at)) return 0;
        if (how_.normalizedCoords) at *= double(size_of(array, axis));
        return at < -far ? -far : at > far ? far : at;
    }
    // The texel whose middle lies before a place, and the weight of the one behind it.
    static void split(double at, int64_t* first, double* weight) {
        const auto parts = int64_t(std::floor((at - 0.5) * fraction + 0.5));
        *first = parts >> 8;
        *weight = double(parts & (fraction - 1)) / fraction;
    }
    // Where an index beyond the edge leads; -1: to the border.
    int64_t led(int64_t i, int64_t size, int axis) const {
        if (i >= 0 && i < size) return i;
        const cudaTextureAddressMode mode = how_.addressMode[axis];
        if (mode == cudaAddressModeBorder) return -1;
        if (!how_.normalizedCoords || mode == cudaAddressModeClamp) return clamped(i, size);
        const int64_t period = mode == cudaAddressModeMirror ? 2 * size : size;
        const int64_t within = ((i % period) + period) % period;
        return within < size ? within : period - 1 - within;
    }
    texel addressed(const texel_array& array, texel_place at) const {
        at.x = led(at.x, size_of(array, 0), 0);
        at.y = array.extent.height ? led(at.y, size_of(array, 1), 1) : 0;
        const auto slices = int64_t(array.slices());
        if (volume(array))
            at.z = led(at.z, slices, 2);
        else  // a layer below 0 counts as a large one
            at.z = at.z < 0 ? slices - 1 : clamped(at.z, slices);
        if (at.x >= 0 && at.y >= 0 && at.z >= 0) return held(array, at);
        texel border;
        for (int i = 0; i < array.format.components; ++i)
            border.parts[i] = double(how_.borderColor[i]);
        return border;
    }
    // A texel that there is.
    texel held(const texel_array& array, const texel_place& at) const {
        const texel_format& format = array.format;
        const size_t pitch = texture_.pitch ? texture_.pitch : array.row_bytes();
        const unsigned char* const begin = array.data +
                                           (size_t(at.z) * array.rows() + size_t(at.y)) * pitch +
                                           size_t(at.x) * size_t(format.texel_bytes());
        check_read(array, begin, size_t(format.texel_bytes()));
        const bool normalized = how_.readMode == cudaReadModeNormalizedFloat;
        texel found;
        for (int i = 0; i < format.components; ++i)
            found.parts[i] = part_of(begin + i * format.bytes, format, normalized);
        if (how_.sRGB && normalized && format.bytes == 1 && format.kind == abi::texel_unsigned)
            for (int i = 0; i < 3; ++i) found.parts[i] = linear_of_srgb(found.parts[i]);
        return found;
    }
    void check_read(const texel_array& array, const unsigned char* begin, size_t bytes) const {
        check_access(begin, int(bytes), false, [&] { return place_; });
        const size_t number = size_t(begin - array.data) / bytes;
        const bool by_surface =
            number < array.written.size() && array.written[number] == current_running->serial;
        if (by_surface || written_under_texture(begin, bytes))
            fault(cudaErrorLaunchFailure, place_,
                  "fetches a texel that this kernel has written: a GPU may give what stood there "
                  "before, so fetch it in the next kernel");
    }

    const texture_object& texture_;
    const cudaTextureDesc& how_;
    const std::string place_;
};

// Which function reads an array of this shape.
int function_for(const texture_object& texture) {
    const texel_array& array = *texture.levels[0];
    if (texture.linear) return abi::fetch_linear;
    if (array.cube()) return array.layered() ? abi::fetch_cube_layered : abi::fetch_cube;
    if (array.layered()) return array.extent.height ? abi::fetch_2d_layered : abi::fetch_1d_layered;
    if (array.extent.depth) return abi::fetch_3d;
    return array.extent.height ? abi::fetch_2d : abi::fetch_1d;
}

constexpr const char* function_names[] = {
    "tex1Dfetch",   "tex1D",        "tex2D",      "tex3D",
    "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered",
    "tex2Dgather",  "tex2DGrad"};

const texture_object& usable(unsigned long long object, int function, const std::string& place) {
    const texture_object* const texture = find_texture(object);
    if (!texture) fault(cudaErrorIllegalAddress, place, "fetches from what is no texture object");
    if (texture->destroyed)
        fault(cudaErrorIllegalAddress, place, "fetches from a texture object that was destroyed");
    if (!texture->levels[0]->data)
        fault(cudaErrorIllegalAddress, place, "fetches from a CUDA array that was freed");
    const int wanted = function_for(*texture);
    const int asked =
        function == abi::gather_2d || function == abi::gradient_2d ? int(abi::fetch_2d) : function;
    if (asked != wanted)
        fault(cudaErrorIllegalAddress, place,
              std::string(function_names[function]) + " fetches from a texture that " +
                  function_names[wanted] + " reads");
    return *texture;
}

// Whether texels may be fetched as a type: by kind and size, and by how many components it has.
void check_type(const texture_object& texture, int type, bool gather, const std::string& place) {
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
        fault(cudaErrorLaunchFailure, place,
              "fetches " + text(abi::texel_kind_of(type), abi::texel_bytes_of(type)) +
                  " from a texture that gives " + text(kind, bytes));
    if (!gather && abi::texel_components_of(type) > format.components)
        fault(cudaErrorLaunchFailure, place,
              "fetches " + std::to_string(abi::texel_components_of(type)) +
                  " components from texels with " + std::to_string(format.components));
}

// The level that a function asks for, from its base level on.
double level_for(const texture_object& texture, int function, const float* level) {
    double wanted = 0;
    if (level && function == abi::gradient_2d) {
        const texel_array& base = *texture.levels[0];
        const bool normalized = texture.description.normalizedCoords;
        const double width = normalized ? double(base.extent.width) : 1;
        const double height = normalized ? double(base.extent.height) : 1;
        const double right = std::hypot(level[0] * width, level[1] * height);
        const double down = std::hypot(level[2] * width, level[3] * height);
        const double longest = std::fmax(right, down);
        wanted = longest > 0 ? std::log2(longest) : 0;
    } else if (level) {
        wanted = double(*level);
    }
    const cudaTextureDesc& how = texture.description;
    if (level) wanted += double(how.mipmapLevelBias);
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

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_texture(unsigned long long object, int function, const float* at, int layer,
                              const float* level, int type, void* result, const char* file,
                              int line) {
    const std::string place = place_text(file, line);
    const texture_object& texture = usable(object, function, place);
    check_type(texture, type, function == abi::gather_2d, place);
    const fetch one(texture, place);
    const double x = double(at[0]), y = double(at[1]), z = double(at[2]);
    if (function == abi::fetch_linear)
        return put(result, type, one.at_index(*texture.levels[0], layer));
    if (function == abi::gather_2d)
        return put(result, type, one.gathered(*texture.levels[0], x, y, layer));
    const auto of_level = [&](size_t number) {
        const texel_array& array = *texture.levels[number];
        if (function == abi::fetch_cube || function == abi::fetch_cube_layered) {
            const auto cubes = int64_t(array.slices() / 6);
            return one.of_cube(array, x, y, z, layer < 0 || layer >= cubes ? cubes - 1 : layer);
        }
        return texture.description.filterMode == cudaFilterModeLinear
                   ? one.linear(array, x, y, z, layer)
                   : one.point(array, x, y, z, layer);
    };
    const double wanted = level_for(texture, function, level);
    if (texture.description.mipmapFilterMode == cudaFilterModePoint)
        return put(result, type, of_level(size_t(std::floor(wanted + 0.5))));
    const auto parts = int64_t(std::floor(wanted * fraction + 0.5));
    const auto finer = size_t(parts / fraction);
    const double share = double(parts % fraction) / fraction;
    texel mixed = of_level(finer);
    if (share > 0) {
        const texel coarser = of_level(finer + 1);
        for (int i = 0; i < 4; ++i)
            mixed.parts[i] = mixed.parts[i] * (1 - share) + coarser.parts[i] * share;
    }
    put(result, type, mixed);
}
