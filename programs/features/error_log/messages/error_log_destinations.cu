// Where does the driver write why it refused a call? Always into a buffer of its own;
// with CUDA_LOG_FILE in the environment also to a file, to stdout or to stderr.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 4096, 1, 1 << 20);
    const bool show = options.flag("show");
    options.finish();
    lockstep::require_device();

    // [launch]
    // a block may have 1024 threads; more are refused
    nothing<<<1, threads>>>();
    const cudaError_t status = cudaGetLastError();
    // [/launch]

    // [dump]
    std::string log(32768, '\0');  // more than the dump is told, to be safe
    std::size_t bytes = 25600;
    const CUresult dumped = cuLogsDumpToMemory(nullptr, log.data(), &bytes, 0);
    lockstep::check(dumped);
    log.resize(bytes);
    // [/dump]
    int lines = 0;
    for (const char character : log) lines += character == '\n';
    lines += !log.empty() && log.back() != '\n';
    lockstep::report("launch", cudaGetErrorName(status));
    lockstep::report("messages in the buffer", lines);
    if (show) std::fputs(log.c_str(), stdout);
    const bool refused = status != cudaSuccess;
    return refused == (threads > 1024) && refused == (lines > 0) ? EXIT_SUCCESS
                                                                 : EXIT_FAILURE;
}
