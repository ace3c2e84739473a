// "invalid argument" - but which one? The driver knows more than fits into an error
// code. With CUDA_LOG_FILE in the environment it writes a sentence for each error, with
// the limit that was exceeded, even where the program looks at no code at all.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool unchecked = options.flag("unchecked");
    options.finish();
    lockstep::require_device();

    // [launch]
    nothing<<<8192, 4096>>>();  // a block may have 1024 threads
    if (!unchecked) {
        const cudaError_t status = cudaGetLastError();
        lockstep::report("launch", cudaGetErrorName(status));
        lockstep::report("error text", cudaGetErrorString(status));
        return status != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    // [/launch]
    lockstep::report("launch", "not checked");
    return EXIT_SUCCESS;
}
