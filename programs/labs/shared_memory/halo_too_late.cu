// The last threads of a block need words that its first threads put into the tile. What
// happens if those words arrive late? Here the first threads are delayed on purpose.
// With the barrier all results are right, without it some are wrong.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int radius = 3;
constexpr int block_size = 128;

// [kernel]
/// Each result is the sum of a number and the three after it. All threads of the grid
/// have a result.
/// @param in   one int for each thread of the grid, and radius more, in device memory
/// @param out  one int for each thread of the grid, in device memory, written
template <bool with_barrier>
__global__ void add_followers(const int* in, int* out) {
    __shared__ int tile[block_size + radius];
    const int i = blockIdx.x * block_size + threadIdx.x;
    tile[threadIdx.x] = in[i];
    if (threadIdx.x < radius) {
        const long long begin = clock64();
        while (clock64() - begin < 100'000) {  // 100,000 cycles late
        }
        tile[block_size + threadIdx.x] = in[i + block_size];
    }
    if (with_barrier) __syncthreads();
    int sum = 0;
    for (int offset = 0; offset <= radius; ++offset) sum += tile[threadIdx.x + offset];
    out[i] = sum;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    const int n = blocks * block_size;
    std::vector<int> in(n + radius);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 1000) + 1;
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
        for (int offset = 0; offset <= radius; ++offset) expected[i] += in[i + offset];
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(n);

    add_followers<true><<<blocks, block_size>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::size_t with_barrier =
        lockstep::count_mismatches(d_out.to_host(), expected);
    d_out.fill_bytes(0);
    add_followers<false><<<blocks, block_size>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::size_t without = lockstep::count_mismatches(d_out.to_host(), expected);
    lockstep::report("wrong with the barrier", with_barrier);
    lockstep::report("some wrong without it", without > 0);
    return with_barrier == 0 ? EXIT_SUCCESS : EXIT_FAILURE;  // a race promises nothing
}
