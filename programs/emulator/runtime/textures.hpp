// Texture and surface objects, and how texels are found and mixed.
#pragma once

#include <string>

#include "texel_arrays.hpp"

namespace emulator {

// What a texture reads: an array, the levels of one, or memory.
struct texture_object {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    std::vector<std::shared_ptr<texel_array>> levels;  // one without mipmaps
    bool linear = false;                               // plain memory, read by tex1Dfetch alone
    size_t pitch = 0;  // bytes from row to row of pitched memory; 0: rows follow one another
    bool destroyed = false;
};
struct surface_object {
    cudaResourceDesc resource;
    std::shared_ptr<texel_array> array;
    bool destroyed = false;
};
// By the numbers that programs hold; what was destroyed stays, to be named.
texture_object* find_texture(unsigned long long object);
surface_object* find_surface(unsigned long long object);

// A texel's components: as many as its format has, the others 0.
struct texel {
    double parts[4] = {};
};
// The place of a texel: column, row, and slice, layer or face.
struct texel_place {
    int64_t x, y, z;
};
// Where a direction leads: a face, and the place on it in [0, 1].
struct cube_place {
    int face;
    double s, t;
};
cube_place cube_place_of(double x, double y, double z);
// The texel that continues a face of `side` texels beyond its edge; false at a corner, where none
// does.
bool across_edge(int* face, int64_t* x, int64_t* y, int64_t side);

// Memory under a texture that a kernel writes: what the launch under way wrote there is remembered,
// since its fetches may give what stood there before.
extern bool textures_over_memory;
void watch_under_texture(const void* begin, size_t bytes);
void note_write_under_texture(const void* p, size_t bytes);
bool written_under_texture(const void* p, size_t bytes);  // by the launch under way

}  // namespace emulator
