#include "tensor_maps.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "accesses.hpp"
#include "faults.hpp"
#include "global_writes.hpp"
#include "races.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

constexpr int invalid_value = 1, not_supported = 801;  // CUresult

constexpr element_type element_types[] = {
    {1, -1, false, false, false},
    {2, -1, false, false, false},
    {4, abi::atomic_type(abi::atomic_unsigned, 4), false, false, false},
    {4, abi::atomic_type(abi::atomic_signed, 4), false, false, false},
    {8, abi::atomic_type(abi::atomic_unsigned, 8), false, false, false},
    {8, abi::atomic_type(abi::atomic_signed, 8), false, false, false},
    {2, -1, true, false, false},
    {4, abi::atomic_type(abi::atomic_float, 4), true, false, false},
    {8, abi::atomic_type(abi::atomic_double, 8), true, false, false},
    {2, -1, true, false, false},
    {4, -1, true, true, false},
    {4, -1, true, false, true},
    {4, -1, true, true, true},
};
constexpr int known_types = int(std::size(element_types)), packed_types = 3;
constexpr uint8_t float32 = 7;  // CU_TENSOR_MAP_DATA_TYPE_FLOAT32
// What tensormap.replace calls an element type, where that is not the host's number.
constexpr uint8_t float32_ftz_replaced = 8, float64_replaced = 9, bfloat16_replaced = 10;
constexpr unsigned swizzle_bytes[] = {0, 32, 64, 128};
constexpr int last_swizzle = 6, swizzle_atom_32 = 4;
constexpr unsigned first_refused_box_bytes = 256 << 10;

int lacking(const char* what) {
    fflush(stdout);
    fprintf(stderr, "emulator: cuTensorMapEncodeTiled: the emulator lacks %s\n", what);
    return not_supported;
}

uint64_t box_bytes(const tensor_map& map) {
    uint64_t bytes = uint64_t(element_type_of(map).bytes) * map.box[0];
    for (int i = 1; i < map.rank; ++i) bytes *= (map.box[i] + map.steps[i] - 1U) / map.steps[i];
    return bytes;
}

bool is_blank(const void* map) {
    const auto* bytes = static_cast<const unsigned char*>(map);
    return std::all_of(bytes, bytes + tensor_map_bytes, [](unsigned char one) { return one == 0; });
}

int type_of_replaced(int64_t value) {
    switch (value) {
        case float32_ftz_replaced: return 10;
        case float64_replaced: return 8;
        case bfloat16_replaced: return 9;
        default: return int(value);
    }
}

}  // namespace

const element_type& element_type_of(const tensor_map& map) { return element_types[map.type]; }

const char* wrong_with(const tensor_map& map) {
    if (map.rank < 1 || map.rank > most_dimensions) return "1 to 5 dimensions are possible";
    if (map.type >= known_types) return "its data type does not exist";
    if (map.interleave > 2 || map.swizzle > last_swizzle || map.fill > 1)
        return "one of its modes does not exist";
    const unsigned unit = map.interleave == 2 ? 32 : 16;
    if (map.address == 0 || map.address % unit) return "the array's address is not aligned";
    for (int i = 0; i < map.rank; ++i) {
        if (map.box[i] < 1 || map.box[i] > 256)
            return "a box has 1 to 256 elements along a dimension";
        if (map.steps[i] < 1 || map.steps[i] > 8) return "an element stride is 1 to 8";
        if (i > 0 && (map.strides[i - 1] % unit || map.strides[i - 1] >> 40))
            return "a stride is a multiple of 16 bytes, 32 with interleave 32B, and below 2^40";
    }
    const unsigned row = map.box[0] * unsigned(element_type_of(map).bytes);
    if (row % 16) return "a row of the box is a multiple of 16 bytes";
    if (map.interleave && map.rank < 3) return "an interleaved layout has 3 dimensions at least";
    if (!map.interleave && map.swizzle && map.swizzle < std::size(swizzle_bytes) &&
        row > swizzle_bytes[map.swizzle])
        return "a row of the box is not longer than the swizzle's span";
    if (map.fill && !element_type_of(map).floating) return "NaN fills numbers with a fraction only";
    return box_bytes(map) >= first_refused_box_bytes ? "the box is larger than shared memory"
                                                     : nullptr;
}

const char* lacking_for(const tensor_map& map, bool load) {
    const element_type& type = element_type_of(map);
    if (map.interleave) return "interleaved layouts";
    if (map.swizzle >= std::size(swizzle_bytes)) return "swizzles with atoms of 32 or 64 bytes";
    if (map.swizzle && map.box[0] * unsigned(type.bytes) < swizzle_bytes[map.swizzle])
        return "rows of the box that are shorter than the swizzle's span";
    if (map.fill && map.type != float32) return "the fill with NaN for types other than FLOAT32";
    if (!load && (type.rounds || type.flushes))
        return "stores of types that are rounded or flushed to zero";
    return nullptr;
}

// What the driver of an H200 accepts, as programs have recorded, and not all that the manual asks.
int encode_tiled(void* made, int type, unsigned rank, void* address, const uint64_t* sizes,
                 const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                 int interleave, int swizzle, int promotion, int fill) {
    if (!made || !address || !sizes || !box || !steps || (rank > 1 && !strides))
        return invalid_value;
    if (rank < 1 || rank > most_dimensions || promotion < 0 || promotion > 3 || fill < 0 ||
        fill > 1 || type < 0 || type >= known_types + packed_types || interleave < 0 ||
        interleave > 2 || swizzle < 0 || swizzle > last_swizzle || swizzle == swizzle_atom_32)
        return invalid_value;
    tensor_map map{};
    for (unsigned i = 0; i < rank; ++i) {
        if (sizes[i] < 1 || sizes[i] > uint64_t(1) << 32 || box[i] > 256 || steps[i] < 1 ||
            steps[i] > 8)
            return invalid_value;
        map.last[i] = uint32_t(sizes[i] - 1);
        map.box[i] = uint16_t(box[i]);
        map.steps[i] = uint8_t(i ? steps[i] : 1);  // that of the first is ignored
        if (i + 1 < rank) map.strides[i] = strides[i];
    }
    map.mark = made_by_host;
    map.address = uintptr_t(address);
    map.rank = uint8_t(rank);
    map.interleave = uint8_t(interleave);
    map.swizzle = uint8_t(swizzle);
    map.fill = uint8_t(fill);
    if (type >= known_types) return lacking("the packed data types");
    map.type = uint8_t(type);
    if (wrong_with(map)) return invalid_value;
    if (swizzle > swizzle_atom_32) return lacking("swizzles with atoms of 32 or 64 bytes");
    if (interleave == 2 && swizzle > 1)
        return lacking("swizzles other than 32B with interleave 32B");
    if (box_bytes(map) > hardware::shared_bytes_per_block_opt_in)
        return lacking("boxes of more than the 227 KiB that a block can have");
    memset(made, 0, tensor_map_bytes);
    memcpy(made, &map, sizeof map);
    return 0;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

int cuTensorMapEncodeTiled(void* map, int type, unsigned rank, void* address, const uint64_t* sizes,
                           const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                           int interleave, int swizzle, int promotion, int fill) {
    return encode_tiled(map, type, rank, address, sizes, strides, box, steps, interleave, swizzle,
                        promotion, fill);
}

void __emu_map_fence(const void* map) {
    settle();
    map ? note_map_acquired(map) : note_map_released();
}

// All lanes of a warp call it; the first that is left does it.
void __emu_map_publish(void* to, const void* from, const char* file, int line) {
    const uint32_t gone = current_block->warp_gone[warp_of(current_thread)];
    if (~gone & ((1U << lane_of(current_thread)) - 1)) return;
    const std::string place = place_text(file, line);
    if (block_of_shared(from) != current_block || block_of_shared(to))
        fault(cudaErrorIllegalAddress, place,
              "publishes a tensor map that is not in the block's shared memory, or elsewhere than "
              "in global memory");
    if ((uintptr_t(to) | uintptr_t(from)) % 128)
        fault(cudaErrorMisalignedAddress, place,
              "publishes a tensor map from or to an address that is no multiple of 128");
    const auto where = [&] { return place; };
    check_access(from, tensor_map_bytes, false, where);
    check_shared(from, tensor_map_bytes, false, place_number(file, line));
    check_access(to, tensor_map_bytes, true, where);
    memcpy(to, from, tensor_map_bytes);
    note_map_published(to);
}

void __emu_map_replace(void* place, int field, int dimension, long long value, const char* file,
                       int line) {
    settle();
    const auto where = [=] { return place_text(file, line); };
    check_access(place, tensor_map_bytes, false, where);
    check_access(place, tensor_map_bytes, true, where);
    const int number = place_number(file, line);
    check_shared(place, tensor_map_bytes, true, number);
    if (writes_are_noted() && !block_of_shared(place))
        note_written(place, tensor_map_bytes, number);
    tensor_map map;
    memcpy(&map, place, sizeof map);
    if (map.mark != made_by_host && map.mark != made_by_kernel) {
        if (!is_blank(place))
            fault(cudaErrorIllegalInstruction, where(),
                  "changes what is neither a tensor map nor 128 bytes of zero");
        map.mark = made_by_kernel;
    }
    if (dimension < 0 || dimension >= most_dimensions - (field == abi::map_stride))
        fault(cudaErrorIllegalInstruction, where(), "changes a dimension that no tensor map has");
    // A number that the field cannot hold becomes one that no tensor map may have.
    const auto small = [=] { return uint8_t(value >= 0 && value < 255 ? value : 255); };
    switch (field) {
        case abi::map_address: map.address = uint64_t(value); break;
        case abi::map_rank: map.rank = uint8_t(small() + 1); break;
        case abi::map_size:
            if (value == 0) fault(cudaErrorIllegalInstruction, where(), "sets a size of 0");
            map.last[dimension] = uint32_t(value) - 1;
            break;
        case abi::map_stride: map.strides[dimension] = uint64_t(value); break;
        case abi::map_box: map.box[dimension] = uint16_t(value > 256 ? 0 : value); break;
        case abi::map_step: map.steps[dimension] = dimension ? small() : uint8_t(1); break;
        case abi::map_type: map.type = uint8_t(type_of_replaced(small())); break;
        case abi::map_interleave: map.interleave = small(); break;
        case abi::map_swizzle: map.swizzle = small(); break;
        case abi::map_fill: map.fill = small(); break;
    }
    memcpy(place, &map, sizeof map);
}

}  // extern "C"
