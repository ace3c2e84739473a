// Which thread sees the last error? Only the host thread that made the failing call.
// Another thread of the same process, on the same GPU, reads cudaSuccess, and cannot
// clear the error of the first thread.

#include <cstdlib>
#include <thread>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [threads]
    void* d_memory = nullptr;
    const cudaError_t failed = cudaMalloc(&d_memory, std::size_t(1) << 50);

    cudaError_t seen_by_other = cudaErrorUnknown;
    std::thread other([&] { seen_by_other = cudaGetLastError(); });
    other.join();

    const cudaError_t seen_by_main = cudaGetLastError();
    // [/threads]

    lockstep::report("main's call", cudaGetErrorName(failed));
    lockstep::report("other thread reads", cudaGetErrorName(seen_by_other));
    lockstep::report("main reads", cudaGetErrorName(seen_by_main));
    const bool right =
        failed != cudaSuccess && seen_by_other == cudaSuccess && seen_by_main == failed;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
