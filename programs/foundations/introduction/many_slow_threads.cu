// Is a GPU thread fast? No: one GPU thread is much slower than one CPU thread on the
// same chain of dependent steps. A GPU wins by running tens of thousands of such
// threads at once, so the whole GPU takes many more steps a second than the CPU thread
// does.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
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

// [kernel]
/// Each thread walks a chain of its own.
/// @param steps  number of steps in each chain
/// @param ends   device array, one element per thread: where its chain ended
__global__ void walk_all(int steps, std::uint32_t* ends) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    ends[thread] = walk(thread + 1, steps);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 100'000, 1, 10'000'000);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    // [sizes]
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr int block_size = 256;
    const int grid_size = sms * 8;
    const int threads = grid_size * block_size;
    // [/sizes]
    lockstep::device_buffer<std::uint32_t> d_ends(threads);
    d_ends.fill_bytes(0xFF);

    // [race]
    std::uint32_t cpu_end = 0;
    const auto cpu = lockstep::time_on_host([&] {
        // keeps the compiler from walking the chain at compile time
        volatile std::uint32_t seed = 1;
        cpu_end = walk(seed, steps);
    });
    const auto one =
        lockstep::time_on_device([&] { walk_all<<<1, 1>>>(steps, d_ends.data()); });
    const auto all = lockstep::time_on_device(
        [&] { walk_all<<<grid_size, block_size>>>(steps, d_ends.data()); });
    // [/race]

    const double cpu_rate = cpu.per_second(steps);
    const double one_rate = one.per_second(steps);
    const double all_rate = all.per_second(static_cast<double>(steps) * threads);
    lockstep::report("steps in a chain", steps);
    lockstep::report("one CPU thread", lockstep::measured{cpu_rate * 1e-6},
                     "million steps/s");
    lockstep::report("one GPU thread", lockstep::measured{one_rate * 1e-6},
                     "million steps/s");
    lockstep::report("all GPU threads", lockstep::measured{all_rate * 1e-6},
                     "million steps/s");
    if (!untimed) {
        lockstep::report("CPU thread beats GPU thread", cpu_rate > one_rate);
        lockstep::report("whole GPU beats CPU thread", all_rate > cpu_rate);
    }

    const std::vector<std::uint32_t> ends = d_ends.to_host();
    bool equal = ends[0] == cpu_end;
    for (int thread = 0; thread < threads; thread += 9973)
        equal = equal && ends[thread] == walk(thread + 1, steps);
    lockstep::report("same ends everywhere", equal);
    const bool as_expected = untimed || (cpu_rate > one_rate && all_rate > cpu_rate);
    return equal && as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
