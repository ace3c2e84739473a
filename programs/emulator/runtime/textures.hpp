// Texture and surface objects.
#pragma once

#include "texel_arrays.hpp"

namespace emulator {

// A line of device code. Its text is made only for a message.
struct code_place {
    const char* file;
    int line;
};

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
void forget_textures();  // and surfaces: cudaDeviceReset

}  // namespace emulator
