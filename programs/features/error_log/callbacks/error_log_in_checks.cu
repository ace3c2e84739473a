// How does the driver's explanation get into one's own error messages? A check function
// dumps what came since the last check. The runtime of CUDA 13 has the functions of the
// log, too, so no call of the driver API is needed.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

// [check]
/// Ends the program with the driver's explanation unless a call succeeded.
/// @param status  what the call returned
/// @param line    source line of the call; leave it out
void check(cudaError_t status, int line = __builtin_LINE()) {
    static thread_local cudaLogIterator place = 0;  // of this thread
    static thread_local bool known = false;  // whether a check has set it
    if (status != cudaSuccess) {
        std::string log(32768, '\0');  // more than the dump is told, to be safe
        std::size_t bytes = 25600;
        if (cudaLogsDumpToMemory(known ? &place : nullptr, log.data(), &bytes, 0) !=
            cudaSuccess)
            bytes = 0;
        std::fprintf(stderr, "line %d: %s\n%.*s", line, cudaGetErrorString(status),
                     static_cast<int>(bytes), log.c_str());
        std::exit(EXIT_FAILURE);
    }
    // what was logged before is of no interest
    known = cudaLogsCurrent(&place, 0) == cudaSuccess;
}
// [/check]

// [callback]
/// Counts the messages.
/// @param data  an int
void CUDART_CB count(void* data, cudaLogLevel, char*, std::size_t) {
    ++*static_cast<int*>(data);
}
// [/callback]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int threads = options.integer("threads", 256, 1, 1 << 20);
    options.finish();
    lockstep::require_device();

    // [use]
    int messages = 0;
    cudaLogsCallbackHandle handle = nullptr;
    check(cudaLogsRegisterCallback(count, &messages, &handle));
    void* d_huge = nullptr;
    const cudaError_t no_memory = cudaMalloc(&d_huge, std::size_t(1) << 50);
    lockstep::report("handled failure", cudaGetErrorName(no_memory));
    check(cudaLogsUnregisterCallback(handle));
    static_cast<void>(cudaGetLastError());  // handled, so forget it

    nothing<<<1, threads>>>();
    check(cudaGetLastError());
    // [/use]
    check(cudaDeviceSynchronize());
    lockstep::report("messages about it", messages);
    lockstep::report("launch", "accepted");
    return no_memory == cudaErrorMemoryAllocation ? EXIT_SUCCESS : EXIT_FAILURE;
}
