#include "texel_arrays.hpp"

#include <cstdio>

namespace emulator {

handle_registry<texel_array, cudaArray_t> texel_arrays;
handle_registry<mipmapped_array, cudaMipmappedArray_t> mipmapped_arrays;

bool format_of(const cudaChannelFormatDesc& d, texel_format* format) {
    const int bits[] = {d.x, d.y, d.z, d.w};
    int components = 0;
    while (components < 4 && bits[components] != 0) ++components;
    for (int i = 0; i < 4; ++i)
        if (bits[i] != (i < components ? d.x : 0)) return false;
    const bool whole = d.f == cudaChannelFormatKindSigned || d.f == cudaChannelFormatKindUnsigned;
    const bool size_known = d.x == 16 || d.x == 32 || (whole && d.x == 8);
    if (components == 0 || components == 3 || !size_known) return false;
    if (!whole && d.f != cudaChannelFormatKindFloat) return false;
    const int kind = d.f == cudaChannelFormatKindSigned     ? abi::texel_signed
                     : d.f == cudaChannelFormatKindUnsigned ? abi::texel_unsigned
                                                            : abi::texel_float;
    *format = {d, kind, d.x / 8, components};
    return true;
}

int function_for(const texel_array& array) {
    if (array.cube()) return array.layered() ? abi::fetch_cube_layered : abi::fetch_cube;
    if (array.layered()) return array.extent.height ? abi::fetch_2d_layered : abi::fetch_1d_layered;
    if (array.extent.depth) return abi::fetch_3d;
    return array.extent.height ? abi::fetch_2d : abi::fetch_1d;
}

namespace {

// One side of a copy: memory as it is, or the memory of an array.
struct side {
    cudaPitchedPtr memory;
    cudaPos place;
};

cudaError_t side_of_copy(cudaArray_t handle, const cudaPitchedPtr& memory, const cudaPos& place,
                         size_t width, const cudaExtent& size, side* found, size_t* texel_bytes) {
    if (!handle) {
        *found = {memory, place};
        return memory.ptr ? cudaSuccess : cudaErrorInvalidValue;
    }
    const std::shared_ptr<texel_array> array = texel_arrays.find(handle);
    if (memory.ptr || !array || !array->data) return cudaErrorInvalidValue;
    *texel_bytes = size_t(array->format.texel_bytes());
    if (place.x + width > array->extent.width || place.y + size.height > array->rows() ||
        place.z + size.depth > array->slices())
        return cudaErrorInvalidValue;
    *found = {{array->data, array->row_bytes(), array->row_bytes(), array->rows()},
              {place.x * *texel_bytes, place.y, place.z}};
    return cudaSuccess;
}

}  // namespace

cudaError_t without_arrays(const cudaMemcpy3DParms& wanted, cudaMemcpy3DParms* plain) {
    *plain = wanted;
    if (!wanted.srcArray && !wanted.dstArray) return cudaSuccess;
    side from, to;
    size_t from_texel = 0, to_texel = 0;
    const cudaExtent& size = wanted.extent;
    cudaError_t error = side_of_copy(wanted.srcArray, wanted.srcPtr, wanted.srcPos, size.width,
                                     size, &from, &from_texel);
    if (error == cudaSuccess)
        error = side_of_copy(wanted.dstArray, wanted.dstPtr, wanted.dstPos, size.width, size, &to,
                             &to_texel);
    if (error != cudaSuccess) return error;
    if (from_texel && to_texel && from_texel != to_texel) return cudaErrorInvalidValue;
    plain->srcArray = plain->dstArray = nullptr;
    plain->srcPtr = from.memory;
    plain->srcPos = from.place;
    plain->dstPtr = to.memory;
    plain->dstPos = to.place;
    plain->extent.width *= from_texel ? from_texel : to_texel;  // texels where an array takes part
    return cudaSuccess;
}

}  // namespace emulator
