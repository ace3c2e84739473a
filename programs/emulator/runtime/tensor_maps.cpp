#include "tensor_maps.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "bulk_copies.hpp"
#include "faults.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

constexpr int invalid_value = 1, not_supported = 801;  // CUresult

// By CUtensorMapDataType: bytes of an element, and the type of reductions.
constexpr struct {
    int bytes, reduction;
    bool floating;
} element_types[] = {
    {1, -1, false},
    {2, -1, false},
    {4, abi::atomic_type(abi::atomic_unsigned, 4), false},
    {4, abi::atomic_type(abi::atomic_signed, 4), false},
    {8, abi::atomic_type(abi::atomic_unsigned, 8), false},
    {8, abi::atomic_type(abi::atomic_signed, 8), false},
    {2, -1, true},
    {4, abi::atomic_type(abi::atomic_float, 4), true},
    {8, abi::atomic_type(abi::atomic_double, 8), true},
    {2, -1, true},
};
constexpr int plain_types = int(std::size(element_types));
constexpr int last_type = 12;  // the others change what they copy, or pack bits
constexpr unsigned swizzle_bytes[] = {0, 32, 64, 128};

int lacking(const char* what) {
    fflush(stdout);
    fprintf(stderr, "emulator: cuTensorMapEncodeTiled: the emulator lacks %s\n", what);
    return not_supported;
}

// Where a byte of a tile lies: the 16-byte chunks of rows of 128 bytes are permuted.
uintptr_t swizzled(uintptr_t place, int swizzle) {
    const uintptr_t mask = swizzle == 0 ? 0 : (uintptr_t(1) << swizzle) - 1;
    return place ^ (place >> 7 & mask) << 4;
}

class tile {
public:
    tile(async_copy& copy, const tensor_map& map, unsigned char* shared, const int* at, bool load)
        : copy_(copy), map_(map), shared_(shared), load_(load) {
        std::copy_n(at, map.rank, begin_);
        rows(map.rank - 1, map.address, true);
    }

private:
    // The part of a dimension, and of all below it; `inside`: none above lies out of bounds.
    void rows(int dimension, uint64_t place, bool inside) {
        if (dimension == 0) return row(place, inside);
        for (int i = 0; i < map_.box[dimension]; i += map_.steps[dimension]) {
            const int64_t index = int64_t(begin_[dimension]) + i;
            rows(dimension - 1, place + uint64_t(index) * map_.strides[dimension - 1],
                 inside && index >= 0 && index <= int64_t(map_.last[dimension]));
        }
    }
    void row(uint64_t place, bool inside) {
        const int64_t bytes = element_types[map_.type].bytes, size = map_.box[0];
        const int64_t first = begin_[0], end = int64_t(map_.last[0]) + 1;
        const int64_t from = inside ? std::clamp<int64_t>(-first, 0, size) : size;
        const int64_t to = inside ? std::clamp<int64_t>(end - first, from, size) : size;
        part(nullptr, from * bytes);
        part(reinterpret_cast<unsigned char*>(uintptr_t(place + (first + from) * bytes)),
             (to - from) * bytes);
        part(nullptr, (size - to) * bytes);
    }
    void part(unsigned char* global, int64_t bytes) {
        while (bytes > 0) {
            const int64_t count =
                map_.swizzle ? std::min<int64_t>(bytes, 16 - int64_t(done_ % 16)) : bytes;
            auto* const shared = reinterpret_cast<unsigned char*>(
                swizzled(uintptr_t(shared_) + done_, map_.swizzle));
            if (load_)
                copy_.pieces.push_back({shared, global, uint32_t(count)});
            else if (global)
                copy_.pieces.push_back({global, shared, uint32_t(count)});
            if (global) global += count;
            done_ += size_t(count);
            bytes -= count;
        }
    }
    async_copy& copy_;
    const tensor_map& map_;
    unsigned char* shared_;
    bool load_;
    int begin_[most_dimensions] = {};
    size_t done_ = 0;
};

}  // namespace

int encode_tiled(void* made, int type, unsigned rank, void* address, const uint64_t* sizes,
                 const uint64_t* strides, const uint32_t* box, const uint32_t* steps,
                 int interleave, int swizzle, int promotion, int fill) {
    if (!made || !address || !sizes || !box || !steps || (rank > 1 && !strides))
        return invalid_value;
    if (rank < 1 || rank > most_dimensions || uintptr_t(made) % 64 || uintptr_t(address) % 16 ||
        promotion < 0 || promotion > 3 || fill < 0 || fill > 1 || type < 0)
        return invalid_value;
    if (type > last_type) return lacking("the packed data types");
    if (type >= plain_types) return lacking("data types that are rounded or flushed to zero");
    if (interleave < 0 || interleave > 2 || (interleave && rank < 3)) return invalid_value;
    if (interleave) return lacking("interleaved layouts");
    if (swizzle < 0 || swizzle > 6) return invalid_value;
    if (swizzle > 3) return lacking("swizzles with atoms of 32 or 64 bytes");
    const unsigned bytes = unsigned(element_types[type].bytes);
    if (fill && !element_types[type].floating) return invalid_value;
    if (fill) return lacking("the fill with NaN");
    tensor_map map{};
    for (unsigned i = 0; i < rank; ++i) {
        if (sizes[i] < 1 || sizes[i] > uint64_t(1) << 32 || box[i] < 1 || box[i] > 256 ||
            steps[i] < 1 || steps[i] > 8)
            return invalid_value;
        map.last[i] = uint32_t(sizes[i] - 1);
        map.box[i] = uint16_t(box[i]);
        map.steps[i] = uint8_t(i ? steps[i] : 1);  // that of the first is ignored
        if (i + 1 == rank) continue;
        if (strides[i] % 16 || strides[i] >= uint64_t(1) << 40) return invalid_value;
        map.strides[i] = strides[i];
    }
    if (box[0] * bytes % 16 || (swizzle && box[0] * bytes > swizzle_bytes[swizzle]))
        return invalid_value;
    map.mark = tensor_map_mark;
    map.address = uintptr_t(address);
    map.rank = uint8_t(rank);
    map.type = uint8_t(type);
    map.swizzle = uint8_t(swizzle);
    memset(made, 0, 128);
    memcpy(made, &map, sizeof map);
    return 0;
}

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_tensor_copy(void* shared, const void* described, const int* at, int rank,
                                  void* barrier, unsigned blocks, int operation, const char* file,
                                  int line) {
    async_copy copy;
    copy.file = file;
    copy.line = line;
    copy.operation = operation;
    tensor_map map;
    memcpy(&map, described, sizeof map);
    if (map.mark != tensor_map_mark)
        fault(cudaErrorIllegalInstruction, copy.place(),
              "uses a tensor map that cuTensorMapEncodeTiled has not made");
    if (map.rank != rank)
        fault(cudaErrorIllegalInstruction, copy.place(),
              "copies a tile with " + std::to_string(rank) + " coordinates of a tensor map with " +
                  std::to_string(map.rank) + " dimensions");
    if (uintptr_t(shared) % 128)
        fault(cudaErrorMisalignedAddress, copy.place(),
              "copies a tile to or from shared memory at an address that is no multiple of 128");
    if (at[0] * element_types[map.type].bytes % 16)
        fault(cudaErrorIllegalInstruction, copy.place(),
              "copies a tile whose corner is " + std::to_string(at[0]) +
                  " elements from the first: this must be a multiple of 16 bytes");
    if (block_of_shared(shared) == nullptr ||
        (!barrier && block_of_shared(shared) != current_block))
        fault(cudaErrorIllegalAddress, copy.place(),
              "copies a tile to or from an address that is not in shared memory");
    copy.type = element_types[map.type].reduction;
    if (operation != abi::atomic_store && copy.type < 0)
        fault(cudaErrorNotSupported, copy.place(),
              "a reduction of a tile of a type that the emulator lacks");
    tile(copy, map, static_cast<unsigned char*>(shared), at, barrier != nullptr);
    begin_multicast(copy, barrier, blocks);
}

extern "C" int cuTensorMapEncodeTiled(void* map, int type, unsigned rank, void* address,
                                      const uint64_t* sizes, const uint64_t* strides,
                                      const uint32_t* box, const uint32_t* steps, int interleave,
                                      int swizzle, int promotion, int fill) {
    return emulator::encode_tiled(map, type, rank, address, sizes, strides, box, steps, interleave,
                                  swizzle, promotion, fill);
}
