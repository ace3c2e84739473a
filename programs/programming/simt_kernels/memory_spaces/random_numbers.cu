// Where does a kernel get random numbers from, and what do they cost? Either each
// thread keeps the state of a generator in global memory, which a first kernel has to
// fill, or it computes its numbers from a seed and the index of its element: no array,
// no first kernel, and the same numbers for every block size.

#include <cmath>
#include <cstdlib>

#include <curand_kernel.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr unsigned long long seed = 2026;

/// Adds up a number of each thread of a block; thread 0 adds the sum to a total.
/// @param mine   number of the calling thread
/// @param total  one int in device memory
__device__ void add_up(int mine, int* total) {
    __shared__ int of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, of_block);
}

// [states]
/// Gives each thread a state: one seed, and the thread's own sequence of numbers.
/// @param states  one for each thread in device memory
__global__ void initialize(curandState* states) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, thread, 0, &states[thread]);
}

/// Counts random points of the unit square that lie in the quarter circle.
/// @param points  points for each thread
/// @param states  one for each thread in device memory, changed
/// @param inside  one int in device memory, increased
__global__ void count_with_states(int points, curandState* states, int* inside) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state = states[thread];  // in registers, as long as the kernel runs
    int mine = 0;
    for (int point = 0; point < points; ++point) {
        const float x = curand_uniform(&state);
        const float y = curand_uniform(&state);
        mine += x * x + y * y <= 1;
    }
    states[thread] = state;  // the next launch goes on from here
    add_up(mine, inside);
}
// [/states]

// [counter]
/// The same without states: numbers 4 * launch to 4 * launch + 3 of sequence `pair` are
/// the points of that pair.
/// @param pairs   pairs of points, of all threads together
/// @param launch  number of the launch
/// @param inside  one int in device memory, increased
__global__ void count_with_counter(int pairs, int launch, int* inside) {
    int mine = 0;
    for (int pair = blockIdx.x * blockDim.x + threadIdx.x; pair < pairs;
         pair += gridDim.x * blockDim.x) {
        curandStatePhilox4_32_10_t state;
        curand_init(seed, pair, 4 * launch, &state);
        const float4 p = curand_uniform4(&state);
        mine += (p.x * p.x + p.y * p.y <= 1) + (p.z * p.z + p.w * p.w <= 1);
    }
    add_up(mine, inside);
}
// [/counter]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int points = 1 << options.integer("log2-points", 26, 12, 28);
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    const int threads = points / 16 < 1 << 18 ? points / 16 : 1 << 18;
    const int blocks = threads / block_size;
    lockstep::device_buffer<curandState> d_states(threads);
    d_states.fill_bytes(0);  // curand_init leaves some of a state unwritten
    lockstep::device_buffer<int> d_inside(1);
    const auto count = [&](auto&& launch) {
        d_inside.fill_bytes(0);
        launch();
        lockstep::check(cudaGetLastError());
        return d_inside.to_host()[0];
    };
    const auto prepare = [&] { initialize<<<blocks, block_size>>>(d_states.data()); };
    const auto draw = [&] {
        count_with_states<<<blocks, block_size>>>(points / threads, d_states.data(),
                                                  d_inside.data());
    };
    const auto compute = [&](int size, int launch) {
        count_with_counter<<<threads / size, size>>>(points / 2, launch,
                                                     d_inside.data());
    };
    prepare();
    const int by_states = count(draw);
    const int by_counter = count([&] { compute(block_size, 0); });
    const bool equal = count([&] { compute(64, 0); }) == by_counter;
    const bool next_differs = count([&] { compute(block_size, 1); }) != by_counter;

    const double prepare_us = lockstep::time_on_device(prepare).median_ms * 1e3;
    const double draw_us = lockstep::time_on_device(draw).median_ms * 1e3;
    const double compute_us =
        lockstep::time_on_device([&] { compute(block_size, 0); }).median_ms * 1e3;
    const double pi[] = {4.0 * by_states / points, 4.0 * by_counter / points};
    lockstep::report("random points", points);
    lockstep::report("pi, with states", pi[0]);
    lockstep::report("pi, with a counter", pi[1]);
    lockstep::report("equal for 2 block sizes", equal);
    lockstep::report("next launch is different", next_differs);
    lockstep::report("states in memory", d_states.bytes() >> 10, "KiB");
    lockstep::report("numbers from each state", 2 * (points / threads));
    lockstep::report("states: initialize", lockstep::measured{prepare_us}, "us");
    lockstep::report("states: draw", lockstep::measured{draw_us}, "us");
    lockstep::report("counter: draw", lockstep::measured{compute_us}, "us");
    const double tolerance = 10 / std::sqrt(static_cast<double>(points));  // 6 sigma
    const bool near = std::fabs(pi[0] - 3.141593) < tolerance &&
                      std::fabs(pi[1] - 3.141593) < tolerance;
    return near && equal && next_differs ? EXIT_SUCCESS : EXIT_FAILURE;
}
