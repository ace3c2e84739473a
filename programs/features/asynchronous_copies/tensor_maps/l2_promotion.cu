// What does L2 promotion of a tensor map change? It is the number of bytes that L2
// fetches from device memory at a time. Boxes with rows of 32 bytes and boxes with rows
// of 256 bytes are read from a matrix that is larger than L2, with three promotions.
// Whether more bytes at a time help depends on whether the neighbors are used, too.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 1024;  // of the matrix: rows of 4 KiB
constexpr int step = 64;  // columns from one box to the next: 256 bytes
constexpr int box_size = 2048;  // ints: 8 KiB
constexpr int block_size = 256;
constexpr int stages = 4;

// [kernel]
/// Adds up the elements of boxes that begin every 256 bytes of a row.
/// @param boxes     number of boxes
/// @param box_rows  rows of a box
/// @param map       describes the matrix, in boxes of box_size ints
/// @param sums      one word for each thread in device memory, written
__global__ void add_boxes(int boxes, int box_rows,
                          const __grid_constant__ CUtensorMap map, unsigned* sums) {
    __shared__ alignas(128) unsigned ring[stages][box_size];
    __shared__ std::uint64_t arrived[stages];
    const int t = threadIdx.x;
    if (t == 0) {
        for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    const auto fetch = [&](int i) {  // the block's box i; one thread
        const int box = blockIdx.x + i * gridDim.x;
        if (box >= boxes) return;
        constexpr int in_a_row = columns / step;
        const std::int32_t corner[] = {box % in_a_row * step,
                                       box / in_a_row * box_rows};
        std::uint64_t* barrier = arrived + i % stages;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, barrier, sizeof ring[0]);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                  ring[i % stages], &map, corner, barrier);
    };
    if (t == 0)
        for (int i = 0; i < stages; ++i) fetch(i);
    unsigned sum = 0;
    for (int i = 0; blockIdx.x + i * gridDim.x < boxes; ++i) {
        lockstep::await_phase(arrived + i % stages, i / stages % 2);
        for (int k = t; k < box_size; k += block_size) sum += ring[i % stages][k];
        __syncthreads();  // all threads are done with the stage
        if (t == 0) fetch(i + stages);
    }
    sums[blockIdx.x * block_size + t] = sum;
}
// [/kernel]

// [describe]
/// Describes the matrix, with a promotion.
/// @param data       rows * columns ints in device memory
/// @param rows       of the matrix
/// @param width      columns of a box; it has box_size / width rows
/// @param promotion  bytes that L2 fetches at a time
CUtensorMap describe(unsigned* data, std::uint64_t rows, std::uint32_t width,
                     CUtensorMapL2promotion promotion) {
    const std::uint64_t sizes[] = {columns, rows};
    const std::uint64_t strides[] = {columns * sizeof(unsigned)};
    const std::uint32_t box[] = {width, box_size / width};
    const std::uint32_t element_strides[] = {1, 1};
    CUtensorMap map{};
    const CUresult result = lockstep::tensor_map_encoder()(
        &map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, data, sizes, strides, box,
        element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}
// [/describe]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rows = options.integer("rows", 32768, 256, 65536) / 256 * 256;
    const int blocks = options.integer("blocks", 264, 1, 4096);  // two an SM of an H200
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> x(std::size_t(rows) * columns);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned>(i * 40503);
    lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_sums(std::size_t(blocks) * block_size);

    struct way {
        std::string name;
        int width;  ///< columns of a box
        CUtensorMap map;
        unsigned expected;  ///< sum of the elements in all boxes
    };
    constexpr int widths[] = {8, 64};  // rows of 32 and of 256 bytes
    constexpr CUtensorMapL2promotion promotions[] = {
        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B};
    constexpr const char* names[] = {"none", "128B", "256B"};
    std::vector<way> ways;
    for (int p = 0; p < 3; ++p) {
        for (const int width : widths) {
            unsigned expected = 0;
            for (std::size_t i = 0; i < x.size(); ++i)
                if (static_cast<int>(i % step) < width) expected += x[i];
            ways.push_back({"rows of " + std::to_string(width * sizeof(unsigned)) +
                                " B, " + names[p],
                            width, describe(d_x.data(), rows, width, promotions[p]),
                            expected});
        }
    }
    const auto launch = [&](std::size_t i) {
        const int box_rows = box_size / ways[i].width;
        add_boxes<<<blocks, block_size>>>(rows / box_rows * (columns / step), box_rows,
                                          ways[i].map, d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    bool right = true;
    for (std::size_t i = 0; i < ways.size(); ++i) {
        d_sums.fill_bytes(0xFF);
        launch(i);
        unsigned sum = 0;
        for (const unsigned part : d_sums.to_host()) sum += part;
        const bool same = sum == ways[i].expected;
        if (once) lockstep::report(ways[i].name.c_str(), same ? "right" : "wrong");
        right = right && same;
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    // [times]
    lockstep::device_buffer<unsigned> d_other(x);
    const CUtensorMap other = describe(d_other.data(), rows, 64, promotions[0]);
    const auto flush = [&] {  // another matrix takes the place of this one in L2
        add_boxes<<<blocks, block_size>>>(rows / 32 * (columns / step), 32, other,
                                          d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    const lockstep::owned_event begin, end;
    std::vector<std::vector<double>> times_us(ways.size());
    for (int round = -2; round < 20; ++round) {
        for (std::size_t i = 0; i < ways.size(); ++i) {
            flush();
            lockstep::check(cudaEventRecord(begin));
            launch(i);
            lockstep::check(cudaEventRecord(end));
            lockstep::check(cudaEventSynchronize(end));
            float ms = 0;
            lockstep::check(cudaEventElapsedTime(&ms, begin, end));
            if (round >= 0) times_us[i].push_back(1e3 * ms);
        }
    }
    // [/times]
    for (std::size_t i = 0; i < ways.size(); ++i)
        lockstep::report(ways[i].name.c_str(),
                         lockstep::measured{lockstep::summarize(times_us[i]).median_ms},
                         "us");
    lockstep::report("sums", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
