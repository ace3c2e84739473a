// CUDA arrays: texels in device memory, by rows, slices or layers.
#pragma once

#include <string>
#include <vector>

#include "handles.hpp"

namespace emulator {

struct texel_format {
    cudaChannelFormatDesc described;
    int kind, bytes, components;  // kind: abi::texel_kind; bytes: of a component
    int texel_bytes() const { return bytes * components; }
};
// False for a format that is none, or that the emulator lacks.
bool format_of(const cudaChannelFormatDesc& described, texel_format* format);

struct texel_array {
    texel_format format;
    cudaExtent extent;  // in texels, as asked: 0 is a dimension that is not there
    unsigned flags;
    unsigned char* data = nullptr;  // device memory; null once freed
    std::vector<uint32_t> written = {};  // by texel: the launch whose surface wrote it last

    size_t rows() const { return extent.height ? extent.height : 1; }
    size_t slices() const { return extent.depth ? extent.depth : 1; }
    size_t row_bytes() const { return extent.width * size_t(format.texel_bytes()); }
    size_t bytes() const { return row_bytes() * rows() * slices(); }
    bool layered() const { return flags & cudaArrayLayered; }
    bool cube() const { return flags & cudaArrayCubemap; }
};
// Which function reads an array of this shape: of abi::texture_function.
int function_for(const texel_array& array);

struct mipmapped_array {
    std::vector<std::shared_ptr<texel_array>> levels;
    std::vector<cudaArray_t> handles;
};
extern handle_registry<texel_array, cudaArray_t> texel_arrays;
extern handle_registry<mipmapped_array, cudaMipmappedArray_t> mipmapped_arrays;

// A copy of memory and arrays, as one of memory alone; an error if it cannot be.
cudaError_t without_arrays(const cudaMemcpy3DParms& wanted, cudaMemcpy3DParms* plain);

}  // namespace emulator
