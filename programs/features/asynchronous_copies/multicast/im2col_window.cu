// How does TMA read for a convolution? With an im2col map a copy names the position of
// the filter's corner and an offset within the filter. It brings the channels of a
// number of consecutive positions, across the ends of rows and images, and zeros where
// the filter overhangs. So a block needs one copy for each element of the filter.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/check.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int images = 2, height = 12, width = 8, channels = 16;
constexpr int filter = 3, taps = filter * filter;  // 3 x 3
constexpr int pixels = 64;  // results of a block: eight rows, across the two images
constexpr int results = images * height * width;
constexpr int blocks = results / pixels;

// [describe]
/// Describes images, channels side by side, for a filter of 3 x 3 with a border of 1.
/// @param data  images * height * width * channels ints in device memory
CUtensorMap describe(int* data) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    lockstep::check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &entry,
                                                     12000, cudaEnableDefault, &found));
    lockstep::check(found == cudaDriverEntryPointSuccess ? cudaSuccess
                                                         : cudaErrorInsufficientDriver);
    const std::uint64_t sizes[] = {channels, width, height, images};
    const std::uint64_t strides[] = {channels * sizeof(int),
                                     width * channels * sizeof(int),
                                     height * width * channels * sizeof(int)};
    // The filter's corner moves from -1 to width - 2, and from -1 to height - 2.
    const int lower[] = {-1, -1};  // from the first column and row
    const int upper[] = {1 - (filter - 1), 1 - (filter - 1)};  // from the last ones
    const std::uint32_t steps[] = {1, 1, 1, 1};
    CUtensorMap map{};
    const CUresult result = reinterpret_cast<PFN_cuTensorMapEncodeIm2col_v12000>(entry)(
        &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, data, sizes, strides, lower, upper,
        channels, pixels, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    lockstep::check(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
    return map;
}
// [/describe]

// [copy]
/// Copies one element of the filter's window for `pixels` results; one thread.
/// @param to       pixels * channels ints in shared memory
/// @param map      describes the images
/// @param x, y     column and row of the filter's corner at the first result
/// @param image    of the first result
/// @param dx, dy   column and row within the filter
/// @param arrived  barrier that counts the bytes
__device__ void copy_im2col(int* to, const CUtensorMap& map, int x, int y, int image,
                            std::uint16_t dx, std::uint16_t dy,
                            std::uint64_t* arrived) {
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::
            "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
        "l"(&map), "r"(0), "r"(x), "r"(y), "r"(image),
        "r"(static_cast<unsigned>(__cvta_generic_to_shared(arrived))), "h"(dx), "h"(dy)
        : "memory");
}
// [/copy]

// [kernel]
/// Convolves images with one filter; a thread for each result.
/// @param map      describes the images
/// @param weights  taps * channels ints in device memory
/// @param y        one int for each result in device memory, written
__global__ void convolve(const __grid_constant__ CUtensorMap map, const int* weights,
                         int* y) {
    __shared__ alignas(128) int window[taps][pixels][channels];
    __shared__ std::uint64_t arrived;
    const int first = blockIdx.x * pixels;  // result of this block
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof window);
        for (int tap = 0; tap < taps; ++tap)
            copy_im2col(window[tap][0], map, first % width - 1,
                        first / width % height - 1, first / (width * height),
                        tap % filter, tap / filter, &arrived);
    }
    __syncthreads();  // the barrier is initialized
    lockstep::await_phase(&arrived, 0);
    int sum = 0;
    for (int tap = 0; tap < taps; ++tap)
        for (int c = 0; c < channels; ++c)
            sum += window[tap][threadIdx.x][c] * weights[tap * channels + c];
    y[first + threadIdx.x] = sum;
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<int> x(results * channels), weights(taps * channels);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 7919 % 1009);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<int>(i * 31 % 17) - 8;
    std::vector<int> expected(results);
    int overhang = 0;  // elements of all windows that lie outside of their image
    for (int r = 0; r < results; ++r) {
        const int image = r / (width * height);
        for (int tap = 0; tap < taps; ++tap) {
            const int row = r / width % height + tap / filter - 1;
            const int column = r % width + tap % filter - 1;
            if (row < 0 || row >= height || column < 0 || column >= width) {
                ++overhang;
                continue;
            }
            const int pixel = (image * height + row) * width + column;
            for (int c = 0; c < channels; ++c)
                expected[r] += x[pixel * channels + c] * weights[tap * channels + c];
        }
    }

    lockstep::device_buffer<int> d_x(x), d_y(results);
    const lockstep::device_buffer<int> d_weights(weights);
    const CUtensorMap map = describe(d_x.data());
    d_y.fill_bytes(0xFF);
    convolve<<<blocks, pixels>>>(map, d_weights.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("results", results);
    lockstep::report("copies of each block", taps);
    lockstep::report("pixels outside, zero", overhang);
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
