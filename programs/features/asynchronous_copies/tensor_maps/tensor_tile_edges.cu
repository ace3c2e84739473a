// What does a tile hold where it lies outside the array? A copy into shared memory
// fills those elements with zero, or, if the tensor map says so, with a NaN; a copy to
// global memory leaves them out. In both directions the whole tile counts.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 24, rows = 10;
constexpr int pitch = 32;  // floats from row to row: 8 of them are padding
constexpr int box_columns = 16, box_rows = 4, box_size = box_columns * box_rows;

// [load]
/// Copies the box at (x, y) into shared memory, and from there to `out`.
/// @param matrix  describes the matrix
/// @param x, y    corner of the box, may lie outside
/// @param out     box_size floats in device memory, written; as many threads
__global__ void load_box(const __grid_constant__ CUtensorMap matrix, int x, int y,
                         float* out) {
    __shared__ alignas(128) float box[box_size];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof box);
        const std::int32_t corner[] = {x, y};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &matrix,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    out[threadIdx.x] = box[threadIdx.x];
}
// [/load]

// [store]
/// Writes a box of -1 at (x, y); as many threads as the box has elements.
/// @param matrix  describes the matrix
/// @param x, y    corner of the box, not negative
__global__ void store_box(const __grid_constant__ CUtensorMap matrix, int x, int y) {
    __shared__ alignas(128) float box[box_size];
    box[threadIdx.x] = -1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x > 0) return;
    const std::int32_t corner[] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &matrix, corner,
                              box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}
// [/store]

// [describe]
/// Describes the matrix, whose rows are `pitch` floats apart.
/// @param data  the matrix in device memory
/// @param fill  what elements outside become
CUtensorMap describe(float* data, CUtensorMapFloatOOBfill fill) {
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint64_t strides[] = {pitch * sizeof(float)};
    const cuuint32_t box[] = {box_columns, box_rows};
    const cuuint32_t element_strides[] = {1, 1};
    CUtensorMap map{};
    const CUresult result = lockstep::tensor_map_encoder()(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, sizes, strides, box,
        element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}
// [/describe]

int main() {
    lockstep::require_device(90);

    std::vector<float> x(pitch * rows);
    for (int i = 0; i < pitch * rows; ++i) x[i] = static_cast<float>(i + 1);
    lockstep::device_buffer<float> d_x(x), d_out(box_size);
    const CUtensorMap zeros = describe(d_x.data(), CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    const CUtensorMap nans =
        describe(d_x.data(), CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);

    bool right = true;
    unsigned nan_bits = 0;
    std::printf("corner of the box    fill   from matrix  zeros  NaNs  others\n");
    const auto load = [&](const CUtensorMap& map, const char* fill, int left, int top) {
        d_out.fill_bytes(0x55);
        load_box<<<1, box_size>>>(map, left, top, d_out.data());
        lockstep::check(cudaGetLastError());
        const std::vector<float> box = d_out.to_host();
        int same = 0, zero = 0, nan = 0, other = 0, expected = 0;
        for (int i = 0; i < box_size; ++i) {
            const int column = left + i % box_columns, row = top + i / box_columns;
            const bool inside =
                column >= 0 && column < columns && row >= 0 && row < rows;
            expected += inside;
            if (inside && box[i] == x[row * pitch + column])
                ++same;
            else if (box[i] == 0)
                ++zero;
            else if (std::isnan(box[i])) {
                ++nan;
                std::memcpy(&nan_bits, &box[i], sizeof nan_bits);
            } else
                ++other;
        }
        std::printf("(%3d, %3d)          %-5s %12d %6d %5d %7d\n", left, top, fill,
                    same, zero, nan, other);
        const bool by_zero = &map == &zeros;
        right = right && same == expected && other == 0 && (by_zero ? nan : zero) == 0;
    };
    load(zeros, "zero", 0, 0);
    load(zeros, "zero", 16, 8);
    load(zeros, "zero", -4, -2);
    load(zeros, "zero", 1000, 1000);
    load(nans, "NaN", 16, 8);

    constexpr int left = 16, top = 8;
    store_box<<<1, box_size>>>(zeros, left, top);
    lockstep::check(cudaGetLastError());
    const std::vector<float> y = d_x.to_host();
    int inside = 0, outside = 0;
    for (int i = 0; i < pitch * rows; ++i) {
        const bool in_box =
            i % pitch >= left && i % pitch < columns && i / pitch >= top;
        if (y[i] != x[i]) ++(in_box ? inside : outside);
    }
    constexpr int expected = (columns - left) * (rows - top);
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", nan_bits);
    lockstep::report("bits of the NaN", text);
    lockstep::report("box of a store, elements", box_size);
    lockstep::report("changed in the matrix", inside);
    lockstep::report("changed in the padding", outside);
    return right && inside == expected && outside == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
