// How deep may launches nest? Each grid of a chain launches the next one, down to a
// level that the command line names, or until a launch is refused.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// How far the chain came.
struct progress {
    int grids;  ///< that ran
    int error;  ///< of the launch that was refused, if any
};

// [level]
/// One level of the chain, which launches the next; one thread.
/// @param levels  how many are to follow
/// @param p       in device memory
__global__ void level_of_chain(int levels, progress* p) {
    ++p->grids;  // one grid at a time: the next is launched after this line
    if (levels == 0) return;
    level_of_chain<<<1, 1>>>(levels - 1, p);
    if (const cudaError_t error = cudaGetLastError()) p->error = error;
}
// [/level]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int levels = options.integer("levels", 3000, 1, 10'000);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<progress> d_progress(1);
    d_progress.fill_bytes(0);
    level_of_chain<<<1, 1>>>(levels, d_progress.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t at_end = cudaDeviceSynchronize();
    lockstep::report("levels below the first", levels);
    lockstep::report("host: synchronization", cudaGetErrorName(at_end));
    if (at_end != cudaSuccess) return EXIT_FAILURE;

    const progress found = d_progress.to_host()[0];
    lockstep::report("levels that ran", lockstep::counted{found.grids - 1});
    lockstep::report("first error",
                     cudaGetErrorName(static_cast<cudaError_t>(found.error)));
    const bool complete = found.grids == levels + 1;
    return complete == (found.error == cudaSuccess) ? EXIT_SUCCESS : EXIT_FAILURE;
}
