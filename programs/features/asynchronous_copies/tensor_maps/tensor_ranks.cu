// What can a tile be? A box of an array with one to five dimensions, at any corner
// whose column is a multiple of 16 bytes; and with an element stride of 2 only every
// second row of its box. The rows of the array may be further apart than they are long.
// Every element of every tile is compared.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int most = 1024;  // ints in a tile

/// The corner of a box, and how many bytes its copy delivers.
template <int rank>
struct tile_copy {
    std::int32_t corner[rank];
    unsigned bytes;
};

// [kernel]
/// Copies a tile into shared memory, and from there to `out`; one block.
/// @tparam rank  number of dimensions
/// @param array  describes the array
/// @param copy   corner and size of the tile
/// @param out    room for the tile in device memory, written
template <int rank>
__global__ void load_tile(const __grid_constant__ CUtensorMap array,
                          const __grid_constant__ tile_copy<rank> copy, int* out) {
    __shared__ alignas(128) int tile[most];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, copy.bytes);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &array,
                                  copy.corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    for (unsigned i = threadIdx.x; i < copy.bytes / sizeof(int); i += blockDim.x)
        out[i] = tile[i];
}
// [/kernel]

/// The first `rank` numbers, separated by x.
std::string listed(const int* numbers, int rank) {
    std::string text = std::to_string(numbers[0]);
    for (int i = 1; i < rank; ++i) text += " x " + std::to_string(numbers[i]);
    return text;
}

/// Loads one tile, prints its row, and returns whether all of it is right.
/// @param padding  ints between the rows of the array
/// @param step     element stride of dimension 1
template <int rank>
bool show(int padding, int step) {
    // [sizes]
    constexpr int size[] = {16, 12, 6, 5, 4};  // of the array, contiguous first
    constexpr int box[] = {8, 6, 2, 2, 3};
    constexpr int corner[] = {4, 3, 1, 2, 1};
    CUtensorMap map{};
    cuuint64_t sizes[rank], strides[rank];  // the last stride is not read
    cuuint32_t boxes[rank], steps[rank];
    tile_copy<rank> copy{};
    for (int i = 0; i < rank; ++i) {
        sizes[i] = size[i];
        strides[i] =
            i == 0 ? (size[0] + padding) * sizeof(int) : strides[i - 1] * size[i];
        boxes[i] = box[i];
        steps[i] = i == 1 ? step : 1;
        copy.corner[i] = corner[i];
    }
    // [/sizes]
    int tile[] = {1, 1, 1, 1, 1};  // elements that arrive along each dimension
    int count = 1;
    for (int i = 0; i < rank; ++i) {
        tile[i] =
            (box[i] + static_cast<int>(steps[i]) - 1) / static_cast<int>(steps[i]);
        count *= tile[i];
    }
    copy.bytes = static_cast<unsigned>(count * sizeof(int));

    std::vector<int> x(strides[rank - 1] / sizeof(int));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i);
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_out(count);
    d_out.fill_bytes(0xFF);
    const CUresult result = lockstep::tensor_map_encoder()(
        &map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, const_cast<int*>(d_x.data()), sizes,
        strides, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    load_tile<rank><<<1, 128>>>(map, copy, d_out.data());
    lockstep::check(cudaGetLastError());

    // [expected]
    int wrong = 0, i = 0;
    const std::vector<int> found = d_out.to_host();
    int at[5];
    for (at[4] = 0; at[4] < tile[4]; ++at[4])
        for (at[3] = 0; at[3] < tile[3]; ++at[3])
            for (at[2] = 0; at[2] < tile[2]; ++at[2])
                for (at[1] = 0; at[1] < tile[1]; ++at[1])
                    for (at[0] = 0; at[0] < tile[0]; ++at[0]) {
                        std::size_t place = corner[0] + at[0];
                        for (int d = 1; d < rank; ++d)
                            place += strides[d - 1] / sizeof(int) *
                                     (corner[d] + at[d] * steps[d]);
                        wrong += found[i++] != x[place];
                    }
    // [/expected]
    std::printf("%4d  %-20s%-18s%8d%6d%7u%7d\n", rank, listed(size, rank).c_str(),
                listed(box, rank).c_str(), padding, step, copy.bytes, wrong);
    return wrong == 0;
}

int main() {
    lockstep::require_device(90);

    std::printf(
        "rank  array               box                padding  step  bytes"
        "  wrong\n");
    bool right = show<1>(0, 1);
    right = show<2>(0, 1) && right;
    right = show<3>(0, 1) && right;
    right = show<4>(0, 1) && right;
    right = show<5>(0, 1) && right;
    right = show<2>(8, 1) && right;
    right = show<2>(0, 2) && right;
    right = show<3>(0, 4) && right;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
