// What happens if a child grid fails while it runs? The parent's check finds nothing:
// the launch has succeeded. The host gets the error when it synchronizes, as if the
// parent itself had failed.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What ran, in pinned host memory, which stays readable after a fault.
struct progress {
    int launch_error;  ///< what cudaGetLastError() said in the parent
    int parent_ended;  ///< whether the parent came to its last statement
    int tail_ran;      ///< whether the tail grid ran
};

// [kernels]
/// Ends with a trap, if it is told to.
/// @param fails  whether
__global__ void child(bool fails) {
    if (fails) asm volatile("trap;");
}

/// Runs after the parent and its child, unless they fail.
/// @param p  in pinned host memory
__global__ void tail(progress* p) { p->tail_ran = 1; }

/// Launches both; one thread.
/// @param fails  whether the child shall fail
/// @param p      in pinned host memory
__global__ void parent(bool fails, progress* p) {
    tail<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    child<<<1, 1>>>(fails);
    p->launch_error = cudaGetLastError();
    p->parent_ended = 1;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool fails = options.flag("fail");
    options.finish();
    lockstep::require_device();

    progress* p = nullptr;
    lockstep::check(cudaMallocHost(&p, sizeof *p));
    *p = {-1, 0, 0};
    parent<<<1, 1>>>(fails, p);
    lockstep::check(cudaGetLastError());
    const cudaError_t at_end = cudaDeviceSynchronize();

    lockstep::report("launch of the child",
                     cudaGetErrorName(static_cast<cudaError_t>(p->launch_error)));
    lockstep::report("tail grid ran", p->tail_ran == 1);
    lockstep::report("host: synchronization", cudaGetErrorName(at_end));
    lockstep::report("host: the same again", cudaGetErrorName(cudaDeviceSynchronize()));
    const bool right =
        fails ? at_end != cudaSuccess : at_end == cudaSuccess && p->tail_ran == 1;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
