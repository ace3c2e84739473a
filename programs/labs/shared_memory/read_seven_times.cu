// Each result is the sum of seven neighboring numbers, so a kernel without shared
// memory reads each number seven times. With a tile in shared memory, a block reads
// each number once, and the few in its halo twice. The hardware counters confirm it. Is
// the tile also faster?

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int radius = 3;
constexpr int block_size = 256;

// [global]
/// Sums of 2 * radius + 1 neighbors, all of them from global memory.
/// @param n    number of results
/// @param in   n + 2 * radius ints in device memory
/// @param out  n ints in device memory, written
__global__ void sum_from_global(int n, const int* in, int* out) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int offset = 0; offset <= 2 * radius; ++offset) sum += in[i + offset];
    out[i] = sum;
}
// [/global]

// [shared]
/// The same, through a tile that the block's threads fetch together.
/// @param n    number of results
/// @param in   n + 2 * radius ints in device memory
/// @param out  n ints in device memory, written
__global__ void sum_from_shared(int n, const int* in, int* out) {
    __shared__ int tile[block_size + 2 * radius];
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i < n + 2 * radius) tile[threadIdx.x] = in[i];
    if (threadIdx.x < 2 * radius && i + block_size < n + 2 * radius)
        tile[threadIdx.x + block_size] = in[i + block_size];
    __syncthreads();
    if (i >= n) return;
    int sum = 0;
    for (int offset = 0; offset <= 2 * radius; ++offset)
        sum += tile[threadIdx.x + offset];
    out[i] = sum;
}
// [/shared]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 25, 1, 1 << 28);
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device();

    std::vector<int> in(n + 2 * radius);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 37 % 1001);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
        for (int offset = 0; offset <= 2 * radius; ++offset)
            expected[i] += in[i + offset];
    lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(n);
    bool right = true;
    double ms[2] = {};
    for (const bool shared : {false, true}) {
        const auto kernel = shared ? sum_from_shared : sum_from_global;
        d_out.fill_bytes(0xFF);
        const auto launch = [&] {
            kernel<<<(n + block_size - 1) / block_size, block_size>>>(n, d_in.data(),
                                                                      d_out.data());
        };
        launch();
        lockstep::check(cudaGetLastError());
        right = right && lockstep::count_mismatches(d_out.to_host(), expected) == 0;
        if (!once) ms[shared] = lockstep::time_on_device(launch).median_ms;
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    lockstep::report("from global memory", lockstep::measured{ms[0] * 1e3}, "us");
    lockstep::report("from shared memory", lockstep::measured{ms[1] * 1e3}, "us");
    lockstep::report("shared time / global time", lockstep::measured{ms[1] / ms[0]});
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
