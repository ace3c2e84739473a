// Texels of a texture: which one an index leads to, and what it holds.
#pragma once

#include <string>

#include "textures.hpp"

namespace emulator {

// A texel's components: as many as its format has, the others 0. `parts` of bytes that are read as
// 0 to 1 count in 65535ths, since a byte is a whole number of those and the GPU's filters keep no
// more; see rounded().
struct texel {
    double parts[4] = {};
};
// The place of a texel: column, row, and slice, layer or face.
struct texel_place {
    int64_t x, y, z;
};

// What a thread fetches from a texture.
class texel_reader {
public:
    texel_reader(const texture_object& texture, const code_place& place);

    // The texel at a place that an addressing mode may have to change first.
    texel addressed(const texel_array& array, texel_place at) const;
    // One that there is.
    texel held(const texel_array& array, const texel_place& at) const;
    // A coordinate in texels, and no further away than any size matters.
    double scaled(const texel_array& array, int axis, double at) const;
    // What is left of a mixture of texels: as precise as the GPU's filters return it.
    texel rounded(const texel& mixed) const;

    const cudaTextureDesc& how() const { return how_; }
    [[noreturn]] void wrong(cudaError_t error, const std::string& what) const;

private:
    enum class unit { as_it_is, half, byte };

    int64_t led(int64_t i, int64_t size, int axis) const;
    double part_of(const unsigned char* bytes, const texel_format& format) const;
    void check_read(const texel_array& array, const unsigned char* begin, size_t bytes) const;

    const texture_object& texture_;
    const cudaTextureDesc& how_;
    const code_place place_;
    const bool normalized_;
    const unit unit_;
};

bool is_volume(const texel_array& array);
inline int64_t clamped(int64_t i, int64_t size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

}  // namespace emulator
