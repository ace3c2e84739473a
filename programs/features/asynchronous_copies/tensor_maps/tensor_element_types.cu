// Does the element type of a tensor map change the data? It says how large elements
// are. The two types named TFLOAT32 also round, to the format of tensor cores; those
// named FTZ need not flush subnormal numbers to zero. All load the same 64 bytes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int bytes = 64;
constexpr int words = bytes / 4;

// [types]
struct type {
    const char* name;
    CUtensorMapDataType value;
    int size;  // bytes of an element
    bool keeps_bits;  // required; the others may change them
};
constexpr type types[] = {
    {"UINT8", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, true},
    {"UINT16", CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, true},
    {"UINT32", CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, true},
    {"INT32", CU_TENSOR_MAP_DATA_TYPE_INT32, 4, true},
    {"UINT64", CU_TENSOR_MAP_DATA_TYPE_UINT64, 8, true},
    {"INT64", CU_TENSOR_MAP_DATA_TYPE_INT64, 8, true},
    {"FLOAT16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, true},
    {"FLOAT32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, true},
    {"FLOAT64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, true},
    {"BFLOAT16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, true},
    {"FLOAT32_FTZ", CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, 4, false},
    {"TFLOAT32", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4, false},
    {"TFLOAT32_FTZ", CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 4, false},
};
// [/types]

/// Copies 64 bytes into shared memory, and from there to `out`; `words` threads.
/// @param array  describes 64 bytes in one dimension
/// @param out    `words` words in device memory, written
__global__ void load_words(const __grid_constant__ CUtensorMap array,
                           std::uint32_t* out) {
    __shared__ alignas(128) std::uint32_t tile[words];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &array,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    lockstep::require_device(90);

    // [data]
    std::vector<std::uint32_t> x(words, 0x40490fdb);  // pi as a float
    x[0] = 0x00012345;  // a subnormal float
    x[1] = 0x3f801fff;  // about 1.001, with all bits that TF32 does not have
    // [/data]
    const lockstep::device_buffer<std::uint32_t> d_x(x);
    lockstep::device_buffer<std::uint32_t> d_out(words);

    bool right = true;
    std::printf("%-14s%6s%11s  %-12s%-12s%s\n", "type", "bytes", "elements", "00012345",
                "3f801fff", "same bits");
    for (const type& t : types) {
        // [encode]
        CUtensorMap map{};
        const auto count = static_cast<cuuint32_t>(bytes / t.size);
        const cuuint64_t sizes[] = {count};
        const cuuint64_t strides[] = {bytes};  // not read: there is one dimension
        const cuuint32_t box[] = {count}, element_strides[] = {1};
        const CUresult result = lockstep::tensor_map_encoder()(
            &map, t.value, 1, const_cast<std::uint32_t*>(d_x.data()), sizes, strides,
            box, element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE,
            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        // [/encode]
        lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
        d_out.fill_bytes(0xFF);
        load_words<<<1, words>>>(map, d_out.data());
        lockstep::check(cudaGetLastError());
        const std::vector<std::uint32_t> y = d_out.to_host();
        const bool same = x == y;
        right = right && (same || !t.keeps_bits);
        std::printf("%-14s%6d%11u  %08x    %08x    %s\n", t.name, t.size, count, y[0],
                    y[1], same ? "yes" : "no");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
