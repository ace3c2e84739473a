// Tensor maps: how an array lies in global memory, and which tile of it a copy moves.
#pragma once

#include "runtime.hpp"

namespace emulator {

constexpr int most_dimensions = 5;

// What stands in the 128 bytes of a CUtensorMap here.
struct tensor_map {
    uint64_t mark;  // that cuTensorMapEncodeTiled made it
    uint64_t address;
    uint64_t strides[most_dimensions - 1];  // bytes
    uint32_t last[most_dimensions];         // the last index of each dimension
    uint16_t box[most_dimensions];
    uint8_t steps[most_dimensions];
    uint8_t rank, type, swizzle;
};
static_assert(sizeof(tensor_map) <= 128);
constexpr uint64_t tensor_map_mark = 0x4c6f636b73746570;

int encode_tiled(void* map, int type, unsigned rank, void* address, const uint64_t* sizes,
                 const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                 int interleave, int swizzle, int promotion, int fill);

}  // namespace emulator
