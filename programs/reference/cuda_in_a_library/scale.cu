// How does a kernel become a function of a library? It gets a host function with plain
// parameters that takes the stream, selects the device, launches, and returns what went
// wrong. It neither waits, nor prints, nor ends the program.

#include <algorithm>
#include <cstddef>

#include "scale.h"

namespace {

// [kernel]
/// Multiplies floats in place.
/// @param x       n floats in device memory
/// @param n       number of elements
/// @param factor  what each element is multiplied by
__global__ void scale_all(float* x, std::size_t n, float factor) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += step)
        x[i] *= factor;
}
// [/kernel]

// [guard]
/// Selects a device, and the previous one again at the end of its scope.
class device_guard {
public:
    /// @param device  the device to select
    explicit device_guard(int device) {
        status_ = cudaGetDevice(&previous_);
        if (status_ != cudaSuccess || device == previous_) return;
        status_ = cudaSetDevice(device);
        selected_ = status_ == cudaSuccess;
    }
    device_guard(const device_guard&) = delete;
    device_guard& operator=(const device_guard&) = delete;
    ~device_guard() {
        if (selected_) cudaSetDevice(previous_);
    }
    /// Whether the device could be selected.
    cudaError_t status() const { return status_; }

private:
    int previous_ = 0;
    bool selected_ = false;
    cudaError_t status_ = cudaSuccess;
};
// [/guard]

/// Returns an error that is dealt with, and clears the copy that the thread stores.
cudaError_t returned(cudaError_t status) {
    if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
    return status;
}

}  // namespace

// [function]
int scale(float* x, std::size_t n, float factor, cudaStream_t stream) {
    if (n == 0) return cudaSuccess;
    // an earlier error of the caller is not this function's, and stays
    if (const cudaError_t before = cudaPeekAtLastError()) return before;

    cudaPointerAttributes memory{};
    if (const cudaError_t status = cudaPointerGetAttributes(&memory, x))
        return returned(status);
    if (memory.type != cudaMemoryTypeDevice && memory.type != cudaMemoryTypeManaged)
        return cudaErrorInvalidValue;  // a kernel would fault at a host address
    const device_guard guard(memory.device);
    if (guard.status() != cudaSuccess) return returned(guard.status());

    constexpr unsigned block_size = 256;
    const std::size_t blocks = (n + block_size - 1) / block_size;
    const auto grid_size = static_cast<unsigned>(std::min<std::size_t>(blocks, 65'535));
    scale_all<<<grid_size, block_size, 0, stream>>>(x, n, factor);
    return cudaGetLastError();
}

const char* scale_message(int status) {
    return cudaGetErrorString(static_cast<cudaError_t>(status));
}
// [/function]
