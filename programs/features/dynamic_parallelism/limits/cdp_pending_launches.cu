// How many grids may kernels have launched that have not completed? As many as
// cudaLimitDevRuntimePendingLaunchCount says, 2048 by default. A launch beyond it is
// refused with an error that only the launching thread sees. Children that end at once
// make room for the next ones; with --held they all wait for the first child.

#include <cstddef>
#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// What became of the launches.
struct tally {
    int accepted;
    int refused;
    int first_error;  ///< of a launch that was refused
    int ran;          ///< child grids
};

// [kernels]
/// Counts itself; one thread.
/// @param ns  how long it runs at least
/// @param t   in device memory
__global__ void child(unsigned long long ns, tally* t) {
    lockstep::busy_wait(ns);
    atomicAdd(&t->ran, 1);
}

/// Launches many children into its NULL stream, and looks after each; one thread.
/// @param launches  how many
/// @param first_ns  how long the first child runs; all others wait for it
/// @param t         in device memory, written
__global__ void parent(int launches, unsigned long long first_ns, tally* t) {
    for (int i = 0; i < launches; ++i) {
        child<<<1, 1>>>(i == 0 ? first_ns : 0, t);
        const cudaError_t error = cudaGetLastError();
        if (error == cudaSuccess) {
            ++t->accepted;
        } else {
            if (t->refused == 0) t->first_error = error;
            ++t->refused;
        }
    }
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int launches = options.integer("launches", 6000, 1, 20'000);
    const auto limit = options.integer<std::size_t>("limit", 0, 0, 1 << 16);
    const unsigned long long held_ns = options.flag("held") ? 200'000'000 : 0;
    const bool late = options.flag("late");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<tally> d_tally(1);
    d_tally.fill_bytes(0);
    if (late) {
        parent<<<1, 1>>>(1, 0, d_tally.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        d_tally.fill_bytes(0);
    }
    // [limit]
    const double before = lockstep::memory_in_use();
    cudaError_t set = cudaSuccess;
    if (limit > 0)
        set = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
    std::size_t holds = 0;
    lockstep::check(cudaDeviceGetLimit(&holds, cudaLimitDevRuntimePendingLaunchCount));
    // [/limit]
    parent<<<1, 1>>>(launches, held_ns, d_tally.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const tally found = d_tally.to_host()[0];

    if (limit > 0) lockstep::report("cudaDeviceSetLimit", cudaGetErrorName(set));
    lockstep::report("limit", holds);
    lockstep::report("launches", launches);
    lockstep::report("accepted", lockstep::counted{found.accepted});
    lockstep::report("refused", lockstep::counted{found.refused});
    lockstep::report("first error",
                     cudaGetErrorName(static_cast<cudaError_t>(found.first_error)));
    lockstep::report("all accepted ones ran", found.ran == found.accepted);
    const double taken = lockstep::memory_in_use() - before;
    lockstep::report("memory taken meanwhile", lockstep::measured{taken / (1 << 20)},
                     "MiB");
    const bool right = found.ran == found.accepted &&
                       found.accepted + found.refused == launches &&
                       (late || holds <= std::size_t(launches) || found.refused == 0);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
