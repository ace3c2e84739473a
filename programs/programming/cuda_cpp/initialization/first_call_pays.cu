// Why is the first CUDA call slow? It waits for the creation of the context, whatever
// else it does. With --init the program creates the context on purpose before it
// measures the allocations, so the first allocation no longer waits for it.

#include <chrono>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Time that some work takes on the host's clock, once, in milliseconds.
/// @param work  callable
template <class Work>
double milliseconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                     begin)
        .count();
}

/// Does nothing, but has to be loaded before it can.
__global__ void nothing() {}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool init = options.flag("init");
    options.finish();

    // [count]
    int devices = 0;
    cudaError_t status = cudaSuccess;
    const double count_ms =
        milliseconds([&] { status = cudaGetDeviceCount(&devices); });
    // [/count]
    lockstep::require_device();
    lockstep::check(status);
    lockstep::report("cudaGetDeviceCount", lockstep::measured{count_ms}, "ms");

    // [init]
    if (init) {
        const double init_ms =
            milliseconds([] { lockstep::check(cudaInitDevice(0, 0, 0)); });
        lockstep::report("cudaInitDevice", lockstep::measured{init_ms}, "ms");
    }
    // [/init]

    // [calls]
    void* d_first = nullptr;
    void* d_second = nullptr;
    const double first_ms =
        milliseconds([&] { lockstep::check(cudaMalloc(&d_first, 1024)); });
    const double second_ms =
        milliseconds([&] { lockstep::check(cudaMalloc(&d_second, 1024)); });
    const auto launch = [] {
        nothing<<<1, 1>>>();
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    };
    const double first_launch_ms = milliseconds(launch);
    const double second_launch_ms = milliseconds(launch);
    // [/calls]
    lockstep::check(cudaFree(d_first));
    lockstep::check(cudaFree(d_second));

    lockstep::report("first cudaMalloc", lockstep::measured{first_ms}, "ms");
    lockstep::report("second cudaMalloc", lockstep::measured{second_ms}, "ms");
    lockstep::report("first launch", lockstep::measured{first_launch_ms}, "ms");
    lockstep::report("second launch", lockstep::measured{second_launch_ms}, "ms");
    const bool context_costs = init || first_ms > 10 * second_ms;
    return context_costs && first_launch_ms > second_launch_ms ? EXIT_SUCCESS
                                                               : EXIT_FAILURE;
}
