// How many launches can wait before the next one makes the host wait? A kernel holds
// the stream for half a second, and the host goes on launching empty kernels until one
// launch takes longer than a tenth. CUDA_SCALE_LAUNCH_QUEUES scales the room for them.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void empty() {}

// [fill]
/// Launches until a launch waits.
/// @return launches that did not, -1 if 100,000 did not
int launches_without_waiting() {
    using clock = std::chrono::steady_clock;
    lockstep::load_kernels(empty, lockstep::busy);
    lockstep::busy<<<1, 1>>>(500'000'000);  // half a second
    for (int launched = 0; launched < 100'000; ++launched) {
        const auto begin = clock::now();
        empty<<<1, 1>>>();
        if (clock::now() - begin > std::chrono::milliseconds(100)) return launched;
    }
    return -1;
}
// [/fill]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (child) {
        std::printf("%d", launches_without_waiting());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        return EXIT_SUCCESS;
    }

    int least = 0;
    int most = 0;
    std::printf("%-28s%s\n", "CUDA_SCALE_LAUNCH_QUEUES", "launches that did not wait");
    for (const char* value : {"unset", "0.25x", "0.5x", "2x", "4x"}) {
        const lockstep::inherited scale("CUDA_SCALE_LAUNCH_QUEUES",
                                        *value == 'u' ? nullptr : value);
        const int launches = std::atoi(lockstep::output_of(argv[0], "--child").c_str());
        std::printf("%-28s~%d\n", value, launches);
        if (std::string(value) == "0.25x") least = launches;
        if (std::string(value) == "4x") most = launches;
    }
    return 0 < least && least <= most ? EXIT_SUCCESS : EXIT_FAILURE;
}
