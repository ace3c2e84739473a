// Can the host change a limit while a kernel runs that has launched a child? The child
// waits until the host lets it go on. In the meantime the host sets one of three limits
// and looks whether the child was still there when the call returned. It was for one
// limit; the other two calls waited for the end of the kernel.

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>

/// What the host and the child tell each other, in pinned host memory.
struct signals {
    lockstep::shared_flag started;  ///< raised by the child
    lockstep::shared_flag go_on;  ///< raised by the host
    lockstep::shared_flag ended;  ///< raised by the child
};

// [kernels]
/// Waits for the host, but at most a second; one thread.
/// @param s  in pinned host memory
__global__ void child(signals* s) {
    const unsigned long long begin = lockstep::now_ns();
    s->started.raise();
    while (!s->go_on.raised() && lockstep::now_ns() - begin < 1'000'000'000) {
    }
    s->ended.raise();
}

/// Launches it; one thread.
/// @param s  for the child
__global__ void parent(signals* s) { child<<<1, 1>>>(s); }
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int which = options.choice("limit", {"launches", "stack", "heap"});
    options.finish();
    lockstep::require_device();
    alarm(30);  // ends this program, whatever becomes of the GPU's work

    using clock = std::chrono::steady_clock;
    const cudaLimit limits[] = {cudaLimitDevRuntimePendingLaunchCount,
                                cudaLimitStackSize, cudaLimitMallocHeapSize};
    const cudaLimit limit = limits[which];
    signals* s = nullptr;
    lockstep::check(cudaMallocHost(&s, sizeof *s));
    *s = signals{};
    std::size_t before = 0, after = 0;
    lockstep::check(cudaDeviceGetLimit(&before, limit));
    // [set]
    parent<<<1, 1>>>(s);
    lockstep::check(cudaGetLastError());
    const auto launched = clock::now();
    while (!s->started.raised() && clock::now() - launched < std::chrono::seconds(5)) {
    }
    const bool ran_before = s->started.raised() && !s->ended.raised();
    const auto begin = clock::now();
    const cudaError_t error = cudaDeviceSetLimit(limit, 2 * before);
    const double taken_ms =
        std::chrono::duration<double, std::milli>(clock::now() - begin).count();
    const bool runs_still = !s->ended.raised();
    s->go_on.raise();
    // [/set]
    lockstep::report("child ran before the call", ran_before);
    lockstep::report("cudaDeviceSetLimit", cudaGetErrorName(error));
    lockstep::report("child ran after the call", runs_still);
    lockstep::report("the call took", lockstep::measured{taken_ms}, "ms");
    std::fflush(stdout);
    const cudaError_t end = cudaDeviceSynchronize();
    lockstep::report("host: synchronization", cudaGetErrorName(end));
    if (end != cudaSuccess) return ran_before ? EXIT_SUCCESS : EXIT_FAILURE;

    lockstep::check(cudaDeviceGetLimit(&after, limit));
    lockstep::report("limit before", before);
    lockstep::report("limit after", after);
    const bool ended = s->ended.raised();
    lockstep::check(cudaFreeHost(s));
    return ran_before && ended ? EXIT_SUCCESS : EXIT_FAILURE;
}
