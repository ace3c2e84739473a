// What do the debugging functions compile to, and what does the host see of them? One
// child process for each calls it in one thread, and prints what the next
// synchronization returns.

#undef NDEBUG  // a release build would drop assert

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernels]
/// Prints.
/// @param limit  1
__global__ void calls_printf(int limit) { printf("limit %d, ", limit); }

/// Counts an event that only a profiler sees.
/// @param limit  1
__global__ void calls_prof_trigger(int limit) {
    if (limit == 1) __prof_trigger(0);
}

/// Asserts something false.
/// @param limit  1
__global__ void calls_assert(int limit) { assert(limit < 1); }

/// Stops the kernel.
/// @param limit  1
__global__ void calls_trap(int limit) {
    if (limit == 1) __trap();
}

/// Stops in a debugger.
/// @param limit  1
__global__ void calls_brkpt(int limit) {
    if (limit == 1) __brkpt();
}
// [/kernels]

struct variant {
    const char* name;
    void (*kernel)(int);
    const char* said;
};

int main(int argc, char** argv) {
    const variant variants[] = {
        {"printf", calls_printf, "limit 1, cudaSuccess"},
        {"__prof_trigger", calls_prof_trigger, "cudaSuccess"},
        {"assert", calls_assert, "cudaErrorAssert"},
        {"__trap", calls_trap, "cudaErrorLaunchFailure"},
        {"__brkpt", calls_brkpt, "cudaErrorLaunchFailure"},  // without a debugger
    };
    constexpr int count = sizeof variants / sizeof *variants;
    lockstep::command_line options(argc, argv);
    const int child = options.integer("child", count, 0, count);
    options.finish();
    lockstep::require_device();
    if (child < count) {
        // [act]
        variants[child].kernel<<<1, 1>>>(1);
        lockstep::check(cudaGetLastError());
        const cudaError_t error = cudaDeviceSynchronize();
        // [/act]
        std::printf("%s", cudaGetErrorName(error));
        std::fflush(stdout);
        std::_Exit(EXIT_SUCCESS);  // the context may be lost: nothing can be freed
    }
    bool right = true;
    for (int i = 0; i < count; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(variants[i].name, said.c_str());
        right = right && said == variants[i].said;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
