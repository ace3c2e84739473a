// Filters of textures: which texels a place asks for, and with which weights they are mixed.
#pragma once

#include "texels.hpp"

namespace emulator {

constexpr int whole = 256;  // the parts of a weight: the GPU's filters have 8 bits of fraction

// A place in a texture, as a program gives it: coordinates or a direction, and the layer.
struct texture_place {
    double x, y, z;
    int64_t layer;
};

// Adds what a place of an array has, as the texture's filter finds it, with a weight of `share`
// out of `whole`.
void add_fetched(const texel_reader& reader, const texel_array& array, const texture_place& at,
                 int share, texel& sum);
// The four texels that a linear filter would mix, one component of each.
texel gathered(const texel_reader& reader, const texel_array& array, double x, double y,
               int component);

}  // namespace emulator
