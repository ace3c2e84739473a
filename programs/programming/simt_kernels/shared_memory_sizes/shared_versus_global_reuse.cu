// Does it pay to stage data in shared memory that the L1 cache would hold anyway? Each
// output of this sum over a window needs 2 * radius + 1 inputs, and its neighbors need
// nearly the same ones. One kernel reads them all from global memory and leaves the
// reuse to the caches, one reads each input once and shares it.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int max_radius = 64;

// [global]
/// Each element becomes the sum of the window around it.
/// @param n       number of elements
/// @param radius  neighbors on each side
/// @param in      n + 2 * radius ints in device memory, from the first window's start
/// @param out     n ints in device memory
__global__ void window_from_global(int n, int radius, const int* __restrict__ in,
                                   int* out) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += in[i + k];
    out[i] = sum;
}
// [/global]

// [shared]
/// The same, through shared memory.
/// @param n       number of elements
/// @param radius  neighbors on each side, at most max_radius
/// @param in      n + 2 * radius ints in device memory, from the first window's start
/// @param out     n ints in device memory
__global__ void window_from_shared(int n, int radius, const int* __restrict__ in,
                                   int* out) {
    __shared__ int tile[block_size + 2 * max_radius];
    const int first = blockIdx.x * block_size;
    const int needed = min(block_size, n - first) + 2 * radius;
    // each input once
    for (int k = threadIdx.x; k < needed; k += block_size) tile[k] = in[first + k];
    __syncthreads();
    if (first + threadIdx.x >= n) return;
    int sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[threadIdx.x + k];
    out[first + threadIdx.x] = sum;
}
// [/shared]

/// A measured time, to stand in a column.
static std::string cell(double us) {
    char text[32];
    std::snprintf(text, sizeof text, "~%.1f us", us);
    return text;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1, 1 << 26);
    const int one = options.integer("radius", -1, 0, max_radius);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::csv_file series(csv, "version,radius,~us");
    bool right = true;
    std::printf("radius       global       shared\n");
    for (const int radius : one >= 0 ? std::vector<int>{one}
                                     : std::vector<int>{0, 1, 2, 4, 8, 16, 32, 64}) {
        std::vector<int> in(n + 2 * radius);
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = static_cast<int>(i * i % 1000);
        lockstep::device_buffer<int> d_in(in);
        lockstep::device_buffer<int> d_out(n);
        std::vector<int> expected(n);
        long long sum = 0;
        for (int k = 0; k < 2 * radius; ++k) sum += in[k];
        for (int i = 0; i < n; ++i) {
            sum += in[i + 2 * radius];
            expected[i] = static_cast<int>(sum);
            sum -= in[i];
        }
        double us[2] = {};
        for (const bool shared : {false, true}) {
            const auto kernel = shared ? window_from_shared : window_from_global;
            d_out.fill_bytes(0xFF);
            us[shared] =
                1e3 * lockstep::time_back_to_back([&] {
                          kernel<<<(n + block_size - 1) / block_size, block_size>>>(
                              n, radius, d_in.data(), d_out.data());
                      }).median_ms;
            right = right && lockstep::count_mismatches(d_out.to_host(), expected) == 0;
            series.row("%s,%d,%.4g", shared ? "shared" : "global", radius, us[shared]);
        }
        std::printf("%6d%13s%13s\n", radius, cell(us[0]).c_str(), cell(us[1]).c_str());
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
