// Copies of tiles: which pieces of global and of shared memory a tile consists of.

#include <algorithm>
#include <cstring>
#include <string>

#include "accesses.hpp"
#include "bulk_copies.hpp"
#include "faults.hpp"
#include "global_writes.hpp"
#include "memory.hpp"
#include "running_launch.hpp"
#include "tensor_maps.hpp"

namespace emulator {

namespace {

constexpr uint32_t filling_nan = 0x7ff77ff7;  // outside of an array of floats

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
        const int64_t bytes = element_type_of(map_).bytes, size = map_.box[0];
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

// The tensor map of a copy, if it is one and the copy may use it.
tensor_map described_at(const void* described, const int* at, int rank, bool load,
                        const std::string& place) {
    if (block_of_shared(described))
        fault(cudaErrorIllegalAddress, place, "uses a tensor map in shared memory");
    if (in_arena(described)) {
        if (uintptr_t(described) % 64)
            fault(cudaErrorMisalignedAddress, place,
                  "uses a tensor map at an address that is no multiple of 64");
        check_access(described, tensor_map_bytes, false, [&] { return place; });
    }
    tensor_map map;
    memcpy(&map, described, sizeof map);
    if (map.mark != made_by_host && map.mark != made_by_kernel)
        fault(cudaErrorIllegalInstruction, place,
              "uses a tensor map that cuTensorMapEncodeTiled has not made");
    check_map_acquired(described, place);
    if (map.rank != rank)
        fault(cudaErrorIllegalInstruction, place,
              "copies a tile with " + std::to_string(rank) + " coordinates of a tensor map with " +
                  std::to_string(map.rank) + " dimensions");
    if (const char* text = wrong_with(map))
        fault(cudaErrorIllegalInstruction, place,
              std::string("uses a tensor map in which a kernel has set what is not possible: ") +
                  text);
    if (const char* text = lacking_for(map, load))
        fault(cudaErrorNotSupported, place,
              std::string("copies a tile by a tensor map with what the emulator lacks: ") + text);
    if (at[0] * element_type_of(map).bytes % 16)
        fault(cudaErrorIllegalInstruction, place,
              "copies a tile whose corner is " + std::to_string(at[0]) +
                  " elements from the first: this must be a multiple of 16 bytes");
    return map;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_tensor_copy(void* shared, const void* described, const int* at, int rank,
                                  void* barrier, unsigned blocks, int operation, const char* file,
                                  int line) {
    async_copy copy;
    copy.file = file;
    copy.line = line;
    copy.operation = operation;
    const bool load = barrier != nullptr;
    const tensor_map map = described_at(described, at, rank, load, copy.place());
    if (uintptr_t(shared) % 128)
        fault(cudaErrorMisalignedAddress, copy.place(),
              "copies a tile to or from shared memory at an address that is no multiple of 128");
    if (block_of_shared(shared) == nullptr || (!load && block_of_shared(shared) != current_block))
        fault(cudaErrorIllegalAddress, copy.place(),
              "copies a tile to or from an address that is not in shared memory");
    copy.type = element_type_of(map).reduction;
    if (operation != abi::atomic_store && copy.type < 0)
        fault(cudaErrorNotSupported, copy.place(),
              "a reduction of a tile of a type that the emulator lacks");
    copy.outside = map.fill ? filling_nan : 0;
    copy.rounds = element_type_of(map).rounds;
    tile(copy, map, static_cast<unsigned char*>(shared), at, load);
    begin_multicast(copy, barrier, blocks);
}

// It changes nothing but times.
extern "C" void __emu_tensor_prefetch(const void* described, int rank, int a, int b, int c, int d,
                                      int e) {
    const int at[most_dimensions] = {a, b, c, d, e};
    described_at(described, at, rank, true, "");
}
