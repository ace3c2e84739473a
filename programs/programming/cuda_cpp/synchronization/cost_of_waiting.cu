// What does it cost to wait, and how does that depend on who waits for whom? A barrier
// for the threads of a block is a matter of nanoseconds. A new kernel, which starts
// when the one before it has finished, takes about a microsecond or more. A round trip
// to the host takes longer still.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernels]
/// Synchronizes the threads of a block again and again.
/// @param rounds  number of barriers
__global__ void synchronize_block(int rounds) {
    for (int i = 0; i < rounds; ++i) __syncthreads();
}

/// Does nothing.
__global__ void nothing() {}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 200, 1, 100'000);
    // compares no times where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    constexpr int block_size = 256;
    const int barriers_in_kernel = 100 * rounds;  // so that its launch hardly counts
    // [waits]
    const lockstep::timing barriers = lockstep::time_on_device(
        [&] { synchronize_block<<<1, block_size>>>(barriers_in_kernel); });
    const lockstep::timing kernels = lockstep::time_on_device([&] {
        for (int i = 0; i < rounds; ++i) nothing<<<1, block_size>>>();
    });
    const lockstep::timing round_trips = lockstep::time_on_host([&] {
        for (int i = 0; i < rounds; ++i) {
            nothing<<<1, block_size>>>();
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
        }
    });
    // [/waits]
    const double barrier_us = barriers.median_ms * 1e3 / barriers_in_kernel;
    const double kernel_us = kernels.median_ms * 1e3 / rounds;
    const double round_trip_us = round_trips.median_ms * 1e3 / rounds;
    lockstep::report("__syncthreads()", lockstep::measured{barrier_us}, "us");
    lockstep::report("next kernel in the stream", lockstep::measured{kernel_us}, "us");
    lockstep::report("launch and synchronize", lockstep::measured{round_trip_us}, "us");
    const bool as_expected = barrier_us < kernel_us && kernel_us < round_trip_us;
    return untimed || as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
