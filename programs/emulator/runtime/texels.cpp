#include "texels.hpp"

#include <cmath>
#include <cstring>

#include "accesses.hpp"
#include "faults.hpp"
#include "global_races.hpp"
#include "running_launch.hpp"
#include "texture_writes.hpp"

namespace emulator {

namespace {

constexpr double most_word = 65535;  // of 16 bits

double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double size = exponent == 0    ? std::ldexp(mantissa, -24)
                        : exponent == 31 ? (mantissa ? NAN : INFINITY)
                                         : std::ldexp(mantissa + 1024, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

double rounded_to_half(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    const double step = std::ldexp(1, std::max(std::ilogb(value), -14) - 10);
    return std::nearbyint(value / step) * step;
}

double linear_of_srgb(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

int64_t size_of(const texel_array& array, int axis) {
    return int64_t(axis == 0 ? array.extent.width : axis == 1 ? array.rows() : array.slices());
}

}  // namespace

bool is_volume(const texel_array& array) {
    return array.extent.depth && !array.layered() && !array.cube();
}

texel_reader::texel_reader(const texture_object& texture, const code_place& place)
    : texture_(texture),
      how_(texture.description),
      place_(place),
      normalized_(texture.description.readMode == cudaReadModeNormalizedFloat),
      unit_([this] {
          const texel_format& format = texture_.levels[0]->format;
          if (format.kind == abi::texel_float)
              return format.bytes == 2 ? unit::half : unit::as_it_is;
          const bool byte = format.kind == abi::texel_unsigned && format.bytes == 1;
          return byte && normalized_ && !how_.sRGB ? unit::byte : unit::as_it_is;
      }()) {}

void texel_reader::wrong(cudaError_t error, const std::string& what) const {
    fault(error, place_text(place_.file, place_.line), what);
}

double texel_reader::scaled(const texel_array& array, int axis, double at) const {
    constexpr double far = 1 << 30;
    if (!(at == at)) return 0;
    if (how_.normalizedCoords) at *= double(size_of(array, axis));
    return at < -far ? -far : at > far ? far : at;
}

// Where an index beyond the edge leads; -1: to the border.
int64_t texel_reader::led(int64_t i, int64_t size, int axis) const {
    if (i >= 0 && i < size) return i;
    const cudaTextureAddressMode mode = how_.addressMode[axis];
    if (mode == cudaAddressModeBorder) return -1;
    if (!how_.normalizedCoords || mode == cudaAddressModeClamp) return clamped(i, size);
    const int64_t period = mode == cudaAddressModeMirror ? 2 * size : size;
    const int64_t within = ((i % period) + period) % period;
    return within < size ? within : period - 1 - within;
}

texel texel_reader::addressed(const texel_array& array, texel_place at) const {
    at.x = led(at.x, size_of(array, 0), 0);
    at.y = array.extent.height ? led(at.y, size_of(array, 1), 1) : 0;
    const auto slices = int64_t(array.slices());
    if (is_volume(array))
        at.z = led(at.z, slices, 2);
    else  // a layer below 0 counts as a large one
        at.z = at.z < 0 ? slices - 1 : clamped(at.z, slices);
    if (at.x >= 0 && at.y >= 0 && at.z >= 0) return held(array, at);
    texel border;
    for (int i = 0; i < array.format.components; ++i)
        border.parts[i] = double(how_.borderColor[i]) * (unit_ == unit::byte ? most_word : 1);
    return border;
}

texel texel_reader::held(const texel_array& array, const texel_place& at) const {
    const texel_format& format = array.format;
    const size_t pitch = texture_.pitch ? texture_.pitch : array.row_bytes();
    const unsigned char* const begin = array.data +
                                       (size_t(at.z) * array.rows() + size_t(at.y)) * pitch +
                                       size_t(at.x) * size_t(format.texel_bytes());
    check_read(array, begin, size_t(format.texel_bytes()));
    texel found;
    for (int i = 0; i < format.components; ++i)
        found.parts[i] = part_of(begin + i * format.bytes, format);
    if (how_.sRGB && normalized_ && format.bytes == 1 && format.kind == abi::texel_unsigned)
        for (int i = 0; i < 3; ++i) found.parts[i] = linear_of_srgb(found.parts[i]);
    return found;
}

double texel_reader::part_of(const unsigned char* bytes, const texel_format& format) const {
    uint32_t raw = 0;
    memcpy(&raw, bytes, size_t(format.bytes));  // little-endian, as the GPU
    if (unit_ == unit::byte) return raw * (most_word / 255);
    if (format.kind == abi::texel_float) {
        if (format.bytes == 2) return half_value(uint16_t(raw));
        float value;
        memcpy(&value, &raw, sizeof value);
        return double(value);
    }
    const int bits = 8 * format.bytes;
    if (format.kind == abi::texel_unsigned)
        return normalized_ ? double(float(raw) / float((uint64_t(1) << bits) - 1)) : double(raw);
    const int32_t value = int32_t(raw << (32 - bits)) >> (32 - bits);
    if (!normalized_) return double(value);
    const float most = float((int64_t(1) << (bits - 1)) - 1);
    return double(std::fmax(-1.0F, float(value) / most));
}

texel texel_reader::rounded(const texel& mixed) const {
    texel result = mixed;
    for (double& part : result.parts) {
        if (unit_ == unit::byte) part = std::floor(part + 0.5) / most_word;
        if (unit_ == unit::half) part = rounded_to_half(part);
    }
    return result;
}

void texel_reader::check_read(const texel_array& array, const unsigned char* begin,
                              size_t bytes) const {
    check_access(begin, int(bytes), false, [this] { return place_text(place_.file, place_.line); });
    check_global(begin, bytes, false, place_number(place_.file, place_.line));
    const size_t number = size_t(begin - array.data) / bytes;
    const bool by_surface =
        number < array.written.size() && array.written[number] == current_running->serial;
    if (by_surface || written_under_texture(begin, bytes))
        wrong(cudaErrorLaunchFailure,
              "fetches a texel that this kernel has written: a GPU may give what stood there "
              "before, so fetch it in the next kernel");
}

}  // namespace emulator
