// Which pointers may a child get? Those to global memory, which __isGlobal() recognizes
// when the program runs. The copies and fills of device code, too, refuse others.

#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int pointers = 6;

/// What is known of a pointer.
struct findings {
    bool global;  ///< whether __isGlobal() says that a child may use it
    int error;  ///< what cudaMemsetAsync() in the kernel says of it, or -1
};

__device__ int variable = 1;

// [ask]
/// Asks about a pointer; called by one thread.
/// @param p      any pointer
/// @param fill   whether to fill an int there as well
/// @param found  written
__device__ void ask(int* p, bool fill, findings* found) {
    found->global = __isGlobal(p) != 0;
    found->error = -1;
    if (!fill) return;
    found->error = cudaMemsetAsync(p, 0, sizeof *p, nullptr);
    cudaGetLastError();  // clears it for the next question
}

/// Asks about pointers of six kinds; one thread.
/// @param buffer  an int in device memory
/// @param mapped  an int in pinned host memory
/// @param found   one for each pointer in device memory, written
__global__ void parent(int* buffer, int* mapped, findings* found) {
    __shared__ int shared;
    int local = 0;
    int* const heap = new int(0);
    ask(buffer, true, found);
    ask(mapped, false, found + 1);
    ask(&variable, false, found + 2);
    ask(heap, false, found + 3);
    ask(&shared, true, found + 4);
    ask(&local, true, found + 5);
    delete heap;
}
// [/ask]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_buffer(1);
    lockstep::device_buffer<findings> d_found(pointers);
    int* mapped = nullptr;
    lockstep::check(cudaMallocHost(&mapped, sizeof *mapped));
    parent<<<1, 1>>>(d_buffer.data(), mapped, d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<findings> found = d_found.to_host();
    lockstep::check(cudaFreeHost(mapped));

    const char* labels[pointers] = {"cudaMalloc: global", "mapped host: global",
                                    "__device__: global", "new in a kernel: global",
                                    "__shared__: global", "local variable: global"};
    for (int i = 0; i < pointers; ++i) lockstep::report(labels[i], found[i].global);
    const auto name = [&](int i) {
        return cudaGetErrorName(static_cast<cudaError_t>(found[i].error));
    };
    lockstep::report("cudaMalloc: memset", name(0));
    lockstep::report("__shared__: memset", name(4));
    lockstep::report("local variable: memset", name(5));
    bool right = found[0].error == cudaSuccess;
    for (int i = 0; i < pointers; ++i) right &= found[i].global == (i < 4);
    for (int i = 4; i < pointers; ++i) right &= found[i].error != cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
