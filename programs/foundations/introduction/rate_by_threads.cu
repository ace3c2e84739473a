// How many threads does a GPU need? More than its execution units, since each thread
// waits for its own last result: the rate grows with the number of threads until nearly
// every cycle has an instruction to issue. Threads beyond that number add nothing.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [step]
/// Takes `steps` steps of Marsaglia's xorshift generator; each needs the one before.
/// @param seed   where the chain starts, not 0
/// @param steps  number of steps
__host__ __device__ std::uint32_t walk(std::uint32_t seed, int steps) {
    std::uint32_t state = seed;
    for (int step = 0; step < steps; ++step) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
    }
    return state;
}
// [/step]

/// Each thread walks a chain of its own.
/// @param steps   number of steps in each chain
/// @param ends    device array, one element per thread: where its chain ended
/// @param cycles  device array of one element: clock cycles of the first thread's walk
__global__ void walk_all(int steps, std::uint32_t* ends, long long* cycles) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const long long begin = clock64();
    const std::uint32_t end = walk(thread + 1, steps);
    ends[thread] = end;
    // the comparison makes the second reading wait for the chain
    if (thread == 0 && end != 0) *cycles = clock64() - begin;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 100'000, 1, 10'000'000);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int most = sms * 2048;  // threads of the last step of the sweep
    lockstep::device_buffer<std::uint32_t> d_ends(most);
    lockstep::device_buffer<long long> d_cycles(1);
    d_ends.fill_bytes(0xFF);

    // [rate]
    const auto steps_per_second = [&](int blocks, int block_size) {
        const auto time = lockstep::time_on_device(
            [&] {
                walk_all<<<blocks, block_size>>>(steps, d_ends.data(), d_cycles.data());
            },
            5);
        return time.per_second(static_cast<double>(steps) * blocks * block_size);
    };
    const double one = steps_per_second(1, 1);
    const double cycles_a_step = static_cast<double>(d_cycles.to_host()[0]) / steps;
    // [/rate]

    lockstep::report("steps in a chain", steps);
    lockstep::report("cycles for a step, 1 thread", lockstep::measured{cycles_a_step});
    lockstep::csv_file series(csv, "threads,~times");
    series.row("%d,%.4g", 1, 1.0);
    double times = 0;
    // [sweep]
    for (const int on_each_sm : {1, 32, 64, 128, 256, 512, 1024, 2048}) {
        const int block_size = on_each_sm < 1024 ? on_each_sm : 1024;
        const int blocks = sms * (on_each_sm / block_size);
        times = steps_per_second(blocks, block_size) / one;
        const char* unit = on_each_sm == 1 ? " thread" : " threads";
        const auto label = std::to_string(on_each_sm) + unit + " on each SM";
        lockstep::report(label.c_str(), lockstep::measured{times}, "times one thread");
        series.row("%d,%.4g", blocks * block_size, times);
    }
    // [/sweep]
    series.finish();
    lockstep::report("steps per cycle, full SM",
                     lockstep::measured{times / cycles_a_step / sms});

    const std::vector<std::uint32_t> ends = d_ends.to_host();
    bool equal = true;
    for (int thread = 0; thread < most; thread += 9973)
        equal = equal && ends[thread] == walk(thread + 1, steps);
    lockstep::report("same ends as on the CPU", equal);
    return equal && (untimed || times > sms) ? EXIT_SUCCESS : EXIT_FAILURE;
}
