// Texture and surface functions: a part of the contract in abi.hpp.
#pragma once

namespace emulator_abi {

// What the headers call; their declarations stand in textures.h.
constexpr char texture_function_name[] = "__emu_texture";
constexpr char surface_function_name[] = "__emu_surface";

// Which function of the texture unit is called, by the shape of what it reads.
enum texture_function : int {
    fetch_linear = 0,  // tex1Dfetch, by a whole number
    fetch_1d = 1,
    fetch_2d = 2,
    fetch_3d = 3,
    fetch_1d_layered = 4,
    fetch_2d_layered = 5,
    fetch_cube = 6,
    fetch_cube_layered = 7,
    gather_2d = 8,
    gradient_2d = 9,
};

// The type that a texel is wanted as: a kind, the bytes of a component, and how many there are.
enum texel_kind : int { texel_signed = 0, texel_unsigned = 1, texel_float = 2 };
constexpr int texel_code(int kind, int bytes, int components) {
    return kind | bytes << 4 | components << 8;
}
constexpr int texel_kind_of(int code) { return code & 15; }
constexpr int texel_bytes_of(int code) { return code >> 4 & 15; }
constexpr int texel_components_of(int code) { return code >> 8; }

}  // namespace emulator_abi
