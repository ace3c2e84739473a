// How long does a kernel take? Two events around it tell: each notes the GPU's time
// when its turn comes in the stream. The host's clock tells the same only if the host
// waits; without the wait it measures how long the launch took. Both include the start
// of the work, which several launches between the marks share.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Follows a random sequence, one step after the other, in each thread.
/// @param steps  number of steps
/// @param x      one start value a thread in device memory, none of them 0; replaced by
///               the value reached
__global__ void follow(int steps, unsigned* x) {
    unsigned value = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 0; step < steps; ++step) {
        value ^= value << 13;
        value ^= value >> 17;
        value ^= value << 5;
    }
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 50'000, 0, 1'000'000);
    const int launches = options.integer("launches", 1, 1, 1000);
    const bool elsewhere = options.choice("events", {"around", "elsewhere"}) == 1;
    options.finish();
    lockstep::require_device();

    constexpr int runs = 21;
    constexpr int block = 256;
    lockstep::device_buffer<unsigned> d_x(std::vector<unsigned>(block, 1u));
    cudaStream_t stream = nullptr;
    cudaStream_t other = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));

    // [events]
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    lockstep::check(cudaEventCreate(&start));
    lockstep::check(cudaEventCreate(&stop));
    const auto by_events = [&] {
        lockstep::check(cudaEventRecord(start, stream));
        for (int launch = 0; launch < launches; ++launch)
            follow<<<1, block, 0, stream>>>(steps, d_x.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(stop, stream));
        lockstep::check(cudaEventSynchronize(stop));
        float milliseconds = 0;
        lockstep::check(cudaEventElapsedTime(&milliseconds, start, stop));
        return static_cast<double>(milliseconds) / launches;
    };
    // [/events]

    // [elsewhere]
    const auto by_events_elsewhere = [&] {
        lockstep::check(cudaEventRecord(start, other));  // not the kernels' stream
        for (int launch = 0; launch < launches; ++launch)
            follow<<<1, block, 0, stream>>>(steps, d_x.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaEventRecord(stop, other));
        lockstep::check(cudaEventSynchronize(stop));
        float milliseconds = 0;
        lockstep::check(cudaEventElapsedTime(&milliseconds, start, stop));
        return static_cast<double>(milliseconds) / launches;
    };
    // [/elsewhere]

    // [host]
    const auto by_host = [&](bool wait) {
        const auto begin = std::chrono::steady_clock::now();
        for (int launch = 0; launch < launches; ++launch)
            follow<<<1, block, 0, stream>>>(steps, d_x.data());
        lockstep::check(cudaGetLastError());
        if (wait) lockstep::check(cudaStreamSynchronize(stream));
        const auto end = std::chrono::steady_clock::now();
        return std::chrono::duration<double, std::milli>(end - begin).count() /
               launches;
    };
    // [/host]

    std::vector<double> events_ms;
    std::vector<double> waiting_ms;
    std::vector<double> hasty_ms;
    by_events();  // the first launch also loads the kernel
    for (int run = 0; run < runs; ++run) {
        lockstep::check(cudaDeviceSynchronize());
        events_ms.push_back(elsewhere ? by_events_elsewhere() : by_events());
        lockstep::check(cudaDeviceSynchronize());
        waiting_ms.push_back(by_host(true));
        hasty_ms.push_back(by_host(false));
    }
    lockstep::check(cudaDeviceSynchronize());
    const double events = lockstep::summarize(events_ms).median_ms;
    const double waiting = lockstep::summarize(waiting_ms).median_ms;
    const double hasty = lockstep::summarize(hasty_ms).median_ms;

    unsigned expected = 1;
    for (long long step = 0; step < (3LL * runs + 1) * launches * steps; ++step) {
        expected ^= expected << 13;
        expected ^= expected >> 17;
        expected ^= expected << 5;
    }
    lockstep::report("two events", lockstep::measured{events}, "ms");
    lockstep::report("host clock, with wait", lockstep::measured{waiting}, "ms");
    lockstep::report("host clock, no wait", lockstep::measured{hasty}, "ms");
    lockstep::check(cudaEventDestroy(start));
    lockstep::check(cudaEventDestroy(stop));
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaStreamDestroy(other));
    const bool agree = events > 0.5 * waiting && events < 1.1 * waiting;
    const bool plausible = steps < 50'000 || launches > 1 ||
                           (hasty < 0.25 * waiting && agree != elsewhere);
    return plausible && d_x.to_host() == std::vector<unsigned>(block, expected)
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
