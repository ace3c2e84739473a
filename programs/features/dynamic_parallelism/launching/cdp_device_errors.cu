// Who learns that a launch in a kernel was refused? Only the thread that launched, and
// only if it asks: cudaGetLastError() in device code is per thread. The host is told
// nothing.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int launches = 4;

/// What the threads found.
struct findings {
    int first[launches];   ///< cudaGetLastError() right after the launch
    int second[launches];  ///< and when asked again
    int children;          ///< child grids that ran
};

/// Counts itself; launched with any block size.
/// @param found  in pinned host memory
__global__ void child(findings* found) {
    if (threadIdx.x == 0) atomicAdd_system(&found->children, 1);
}

// [mistakes]
/// Each thread launches in its own way, three of them wrongly; one block.
/// @param found  in pinned host memory, written
__global__ void parent(findings* found) {
    const unsigned i = threadIdx.x;
    if (i == 0) child<<<1, 2048>>>(found);            // a block holds 1024 at most
    if (i == 1) child<<<0, 32>>>(found);              // no block at all
    if (i == 2) child<<<1, 32, 1 << 20>>>(found);     // 1 MiB of shared memory
    if (i == 3) child<<<1, 32>>>(found);              // nothing wrong
    found->first[i] = cudaGetLastError();
    found->second[i] = cudaGetLastError();
}
// [/mistakes]

int main() {
    lockstep::require_device();

    findings* found = nullptr;  // readable even if the context is lost
    lockstep::check(cudaMallocHost(&found, sizeof *found));
    *found = {};
    parent<<<1, launches>>>(found);
    const cudaError_t at_launch = cudaGetLastError();
    const cudaError_t at_end = cudaDeviceSynchronize();

    const char* labels[launches] = {"2048 threads in a block", "a grid of 0 blocks",
                                    "1 MiB of shared memory", "a correct launch"};
    bool right = at_launch == cudaSuccess && at_end == cudaSuccess;
    bool cleared = true;
    for (int i = 0; i < launches; ++i) {
        const auto error = static_cast<cudaError_t>(found->first[i]);
        lockstep::report(labels[i], cudaGetErrorName(error));
        right &= (error == cudaSuccess) == (i == 3);
        cleared &= found->second[i] == cudaSuccess;
    }
    lockstep::report("all cleared by asking", cleared);
    lockstep::report("child grids that ran", found->children);
    lockstep::report("host: launch of the parent", cudaGetErrorName(at_launch));
    lockstep::report("host: synchronization", cudaGetErrorName(at_end));
    right &= cleared && found->children == 1;
    lockstep::check(cudaFreeHost(found));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
