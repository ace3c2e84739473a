// Tensor maps: how an array lies in global memory, and which tile of it a copy moves.
#pragma once

#include "runtime.hpp"

namespace emulator {

constexpr int most_dimensions = 5;

// What stands in the 128 bytes of a CUtensorMap here.
struct tensor_map {
    uint64_t mark;  // who made it
    uint64_t address;
    uint64_t strides[most_dimensions - 1];  // bytes
    uint32_t last[most_dimensions];         // the last index of each dimension
    uint16_t box[most_dimensions];
    uint8_t steps[most_dimensions];
    uint8_t rank, type, interleave, swizzle, fill;
};
constexpr size_t tensor_map_bytes = 128;
static_assert(sizeof(tensor_map) <= tensor_map_bytes);
constexpr uint64_t made_by_host = 0x4c6f636b73746570, made_by_kernel = made_by_host + 1;

// By CUtensorMapDataType: bytes of an element, and the type of reductions.
struct element_type {
    int bytes, reduction;
    bool floating, flushes, rounds;
};
const element_type& element_type_of(const tensor_map& map);
// What no tensor map may say; null if nothing.
const char* wrong_with(const tensor_map& map);
// What the emulator lacks for copies by a tensor map that a GPU may well accept; null if nothing.
const char* lacking_for(const tensor_map& map, bool load);
int encode_tiled(void* map, int type, unsigned rank, void* address, const uint64_t* sizes,
                 const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                 int interleave, int swizzle, int promotion, int fill);

}  // namespace emulator
