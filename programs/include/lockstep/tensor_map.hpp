#pragma once
/// @file
/// A tensor map of a dense array, for programs whose subject is not the tensor map.

#include <cstdint>
#include <type_traits>

#include <cuda.h>
#include <cudaTypedefs.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// The driver's function that makes tensor maps, found without linking the driver.
inline auto tensor_map_encoder() {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000,
                                           cudaEnableDefault, &found));
    check(found == cudaDriverEntryPointSuccess ? cudaSuccess
                                               : cudaErrorInsufficientDriver);
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
}

/// Describes an array without gaps between its rows.
/// @tparam T     int or float
/// @tparam rank  number of dimensions, 1 to 5
/// @param data     the array in device memory, aligned to 16 bytes
/// @param sizes    elements along each dimension, the contiguous one first; a row is a
///                 multiple of 16 bytes
/// @param box      elements of a tile along each dimension, at most 256
/// @param swizzle  how the tile's 16-byte chunks are permuted in shared memory
template <class T, int rank>
CUtensorMap describe_tiles(T* data, const std::uint64_t (&sizes)[rank],
                           const std::uint32_t (&box)[rank],
                           CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, float>);
    std::uint64_t strides[rank] = {sizes[0] * sizeof(T)};  // the last one is not read
    for (int i = 1; i < rank; ++i) strides[i] = strides[i - 1] * sizes[i];
    std::uint32_t steps[rank];
    for (std::uint32_t& step : steps) step = 1;
    CUtensorMap map{};
    const CUresult result = tensor_map_encoder()(
        &map,
        std::is_same_v<T, int> ? CU_TENSOR_MAP_DATA_TYPE_INT32
                               : CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        rank, data, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}

}  // namespace lockstep
