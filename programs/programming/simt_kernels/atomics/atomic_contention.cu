// What makes atomic operations slow? Contention: additions to one address are executed
// one after the other. Additions to different addresses can be executed together. So a
// sum first adds up inside each warp or each block, where that is cheap, and then needs
// one atomic addition to global memory for each of them.

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int most_addresses = 1 << 16;

// [direct]
/// Each thread adds its element to one sum.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void add_directly(int n, const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}

/// The same with floats.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void add_directly_floats(int n, const float* x, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}
// [/direct]

// [spread]
/// Each thread adds its element to one of `addresses` counters; neighbors take
/// different ones.
/// @param n          number of elements
/// @param x          device array of `n` elements
/// @param addresses  number of counters, a power of two
/// @param counters   device array of `addresses` numbers
__global__ void add_spread(int n, const int* x, int addresses, int* counters) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counters[i & (addresses - 1)], x[i]);
}
// [/spread]

// [warp]
/// One atomic addition for each warp: the lanes pass their sums down first.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void add_warps_first(int n, const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? x[i] : 0;
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
// [/warp]

// [block]
/// One atomic addition to global memory for each block: its threads add up in shared
/// memory first.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void add_blocks_first(int n, const int* x, int* sum) {
    __shared__ int of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&of_block, x[i]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
}
// [/block]

// [both]
/// Both in turn: shuffles add up a warp, its first lane adds to the block's sum in
/// shared memory, and one thread adds that to global memory.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void add_warps_then_block(int n, const int* x, int* sum) {
    __shared__ int of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = i < n ? x[i] : 0;
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
    if (threadIdx.x % 32 == 0) atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(sum, of_block);
}
// [/both]

/// Times a launch that adds up `x` into `d_counters`; returns microseconds, or -1 if
/// the sum is wrong.
template <class Number, class Launch>
double time_us(const std::vector<Number>& x,
               lockstep::device_buffer<Number>& d_counters, Launch&& launch) {
    d_counters.fill_bytes(0);
    launch();
    lockstep::check(cudaGetLastError());
    const std::vector<Number> counters = d_counters.to_host();
    if (std::accumulate(counters.begin(), counters.end(), Number(0)) !=
        std::accumulate(x.begin(), x.end(), Number(0)))
        return -1;
    return lockstep::time_back_to_back(launch).median_ms * 1e3;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 22, 1, 1 << 23);
    const char* csv = options.text("csv");
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + i % 3;
    const lockstep::device_buffer<int> d_x(x);
    const int grid_size = (n + block_size - 1) / block_size;

    double slowest = 0;
    double fastest = 1e30;
    lockstep::csv_file table(csv, "addresses,~time_us,~additions_per_ns");
    for (int addresses = 1; addresses <= most_addresses; addresses *= 2) {
        lockstep::device_buffer<int> d_counters(addresses);
        const double time = time_us(x, d_counters, [&] {
            add_spread<<<grid_size, block_size>>>(n, d_x.data(), addresses,
                                                  d_counters.data());
        });
        table.row("%d,%.2f,%.3f", addresses, time, n / time * 1e-3);
        slowest = std::max(slowest, time);
        fastest = std::min(fastest, time);
    }
    table.finish();

    lockstep::device_buffer<int> d_sum(1);
    const double directly = time_us(x, d_sum, [&] {
        add_directly<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    });
    // whole numbers whose sum a float holds exactly
    const std::vector<float> x_floats(x.begin(), x.end());
    const lockstep::device_buffer<float> d_x_floats(x_floats);
    lockstep::device_buffer<float> d_sum_float(1);
    const double floats = time_us(x_floats, d_sum_float, [&] {
        add_directly_floats<<<grid_size, block_size>>>(n, d_x_floats.data(),
                                                       d_sum_float.data());
    });
    const double threads = time_us(x, d_sum, [&] {
        add_spread<<<grid_size, block_size>>>(n, d_x.data(), 1, d_sum.data());
    });
    const double warps = time_us(x, d_sum, [&] {
        add_warps_first<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    });
    const double blocks = time_us(x, d_sum, [&] {
        add_blocks_first<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    });
    const double both = time_us(x, d_sum, [&] {
        add_warps_then_block<<<grid_size, block_size>>>(n, d_x.data(), d_sum.data());
    });
    lockstep::report("additions", n);
    lockstep::report("all to one address", lockstep::measured{threads}, "us");
    lockstep::report("atomicAdd(sum, x[i]), int", lockstep::measured{directly}, "us");
    lockstep::report("atomicAdd(sum, x[i]), float", lockstep::measured{floats}, "us");
    lockstep::report("warps add up first", lockstep::measured{warps}, "us");
    lockstep::report("blocks add up first", lockstep::measured{blocks}, "us");
    lockstep::report("warps, then blocks", lockstep::measured{both}, "us");
    lockstep::report("time, 1 address / best", lockstep::measured{slowest / fastest});
    const bool right = directly > 0 && floats > 0 && fastest > 0 && threads > 0 &&
                       warps > 0 && blocks > 0 && both > 0;
    const bool as_expected = untimed || (blocks < threads && slowest > 1.5 * fastest);
    return right && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
