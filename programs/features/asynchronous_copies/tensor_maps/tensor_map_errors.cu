// Which mistakes does cuTensorMapEncodeTiled find, and what does it say? Each row takes
// a description that is right, breaks one rule, and prints what the call returns. The
// call is linked here (-lcuda), not looked up when the program runs.

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <cuda.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/require_device.hpp>

// [description]
/// The arguments of the call; as it begins, a matrix of 256 x 64 ints, in tiles of
/// 32 x 8.
struct description {
    std::size_t map_offset = 0;  // bytes beyond a place aligned to 128
    std::size_t data_offset = 0;  // bytes beyond the beginning of an allocation
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_INT32;
    cuuint32_t rank = 2;
    cuuint64_t sizes[6] = {256, 64, 1, 1, 1, 1};
    cuuint64_t strides[5] = {1024, 65536, 65536, 65536, 65536};
    cuuint32_t box[6] = {32, 8, 1, 1, 1, 1};
    cuuint32_t steps[6] = {1, 1, 1, 1, 1, 1};
    CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
    CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};
// [/description]

// [encode]
/// Encodes a description.
/// @param d     the description
/// @param data  device memory
CUresult encode(const description& d, char* data) {
    alignas(128) static char room[2 * sizeof(CUtensorMap)];
    return cuTensorMapEncodeTiled(reinterpret_cast<CUtensorMap*>(room + d.map_offset),
                                  d.type, d.rank, data + d.data_offset, d.sizes,
                                  d.strides, d.box, d.steps, d.interleave, d.swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, d.fill);
}
// [/encode]

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<char> d_data(1 << 20);  // creates the context, too
    int refused = 0;
    const auto show = [&](const char* what, auto&& change) {
        description d;
        change(d);
        const CUresult result = encode(d, d_data.data());
        refused += result != CUDA_SUCCESS;
        std::printf("%-40s%s\n", what, lockstep::name_of(result));
        return result == CUDA_SUCCESS;
    };

    bool right = show("nothing is wrong", [](description&) {});
    // [address]
    show("map off by 32 bytes", [](auto& d) { d.map_offset = 32; });
    show("array off by 8 bytes", [](auto& d) { d.data_offset = 8; });
    show("array off by 16 bytes", [](auto& d) { d.data_offset = 16; });
    // [/address]
    // [sizes]
    show("no dimension", [](auto& d) { d.rank = 0; });
    show("6 dimensions", [](auto& d) { d.rank = 6; });
    show("a size of 0", [](auto& d) { d.sizes[1] = 0; });
    show("a size of 2^32 + 1", [](auto& d) { d.sizes[1] = (1ull << 32) + 1; });
    show("rows 1000 bytes apart", [](auto& d) { d.strides[0] = 1000; });
    show("rows 2^40 bytes apart", [](auto& d) { d.strides[0] = 1ull << 40; });
    show("rows closer than they are long", [](auto& d) { d.strides[0] = 512; });
    // [/sizes]
    // [box]
    show("box of 257 rows", [](auto& d) { d.box[1] = 257; });
    show("box of 0 rows", [](auto& d) { d.box[1] = 0; });
    show("box row of 3 ints, 12 bytes", [](auto& d) { d.box[0] = 3; });
    show("box of 256 KiB", [](auto& d) { d.box[0] = d.box[1] = 256; });
    show("box larger than the array", [](auto& d) { d.box[1] = 128; });
    show("element stride of 0", [](auto& d) { d.steps[1] = 0; });
    show("element stride of 9", [](auto& d) { d.steps[1] = 9; });
    // [/box]
    // [modes]
    const auto swizzled = [](description& d, CUtensorMapSwizzle mode, int box_bytes) {
        d.swizzle = mode;
        d.box[0] = static_cast<cuuint32_t>(box_bytes) / sizeof(int);
    };
    show("swizzle 128B, box row of 256 bytes",
         [&](auto& d) { swizzled(d, CU_TENSOR_MAP_SWIZZLE_128B, 256); });
    show("swizzle 64B, box row of 128 bytes",
         [&](auto& d) { swizzled(d, CU_TENSOR_MAP_SWIZZLE_64B, 128); });
    show("swizzle 32B, box row of 64 bytes",
         [&](auto& d) { swizzled(d, CU_TENSOR_MAP_SWIZZLE_32B, 64); });
    right &= show("swizzle 128B, box row of 64 bytes",
                  [&](auto& d) { swizzled(d, CU_TENSOR_MAP_SWIZZLE_128B, 64); });
    show("swizzle 128B, atoms of 32 bytes",
         [&](auto& d) { swizzled(d, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, 128); });
    show("interleave 16B, 2 dimensions",
         [](auto& d) { d.interleave = CU_TENSOR_MAP_INTERLEAVE_16B; });
    show("interleave 32B, swizzle none", [](auto& d) {
        d.rank = 3;
        d.interleave = CU_TENSOR_MAP_INTERLEAVE_32B;
    });
    show("NaN fill for ints",
         [](auto& d) { d.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA; });
    show("a type that does not exist",
         [](auto& d) { d.type = static_cast<CUtensorMapDataType>(99); });
    // [/modes]
    std::printf("%-40s%d\n", "descriptions refused", refused);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
