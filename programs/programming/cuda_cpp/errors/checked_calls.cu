// How does a program notice that a CUDA call failed? Each call returns a code, and
// nothing else happens: no exception, no message. One small function checks every
// code. Where a failure is acceptable, the program handles it and continues, because a
// failed allocation breaks nothing.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [check]
/// Ends the program unless a call succeeded, and says which call it was.
/// @param status  what the call returned
/// @param file    source file of the call; leave it out
/// @param line    source line of the call; leave it out
void check(cudaError_t status, const char* file = __builtin_FILE(),
           int line = __builtin_LINE()) {
    if (status == cudaSuccess) return;
    std::fflush(stdout);
    const char* slash = std::strrchr(file, '/');
    std::fprintf(stderr, "%s:%d: error %d, %s: %s\n", slash ? slash + 1 : file, line,
                 static_cast<int>(status), cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
}
// [/check]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const long long bytes = options.integer<long long>("bytes", 1 << 20, 1, 1LL << 50);
    options.finish();
    lockstep::require_device();

    // [recover]
    void* d_huge = nullptr;
    // more than any GPU has
    const cudaError_t status = cudaMalloc(&d_huge, std::size_t(1) << 50);
    lockstep::report("2^50 bytes", cudaGetErrorName(status));
    lockstep::report("pointer is still null", d_huge == nullptr);
    // [/recover]

    // [use]
    void* d_buffer = nullptr;
    check(cudaMalloc(&d_buffer, bytes));
    check(cudaMemset(d_buffer, 0, bytes));
    check(cudaDeviceSynchronize());
    check(cudaFree(d_buffer));
    // [/use]
    lockstep::report("four calls checked", bytes, "bytes");
    return status == cudaErrorMemoryAllocation && !d_huge ? EXIT_SUCCESS : EXIT_FAILURE;
}
