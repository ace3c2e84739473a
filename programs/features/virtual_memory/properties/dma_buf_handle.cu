// How does another driver of the machine, such as that of a network adapter, get at
// device memory? By a dma-buf, a file descriptor for a range of addresses. The program
// asks whether the driver makes one, and then tries with memory of cudaMalloc.

#include <cstddef>
#include <cstdlib>

#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 4 << 20;  // of whole pages of the host
constexpr auto as_dma_buf = CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD;

int main() {
    lockstep::require_device();
    void* memory = nullptr;
    lockstep::check(cudaMalloc(&memory, bytes));
    const auto address = reinterpret_cast<CUdeviceptr>(memory);

    // [ask]
    int supported = 0;
    lockstep::check(
        cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED, 0));
    // [/ask]
    lockstep::report("device supports dma-buf", supported != 0);

    // [get]
    int descriptor = -1;
    const CUresult result =
        cuMemGetHandleForAddressRange(&descriptor, address, bytes, as_dma_buf, 0);
    // [/get]
    lockstep::report("handle", lockstep::name_of(result));
    bool right = result != CUDA_SUCCESS || descriptor >= 0;
    if (result == CUDA_SUCCESS) {
        // the file knows how large its buffer is
        const off_t end = lseek(descriptor, 0, SEEK_END);
        lockstep::report("size of the buffer", static_cast<long long>(end), "bytes");
        right = right && (end < 0 || end == static_cast<off_t>(bytes));
        close(descriptor);
    }

    // [part]
    int refused = -1;
    const CUresult part =
        cuMemGetHandleForAddressRange(&refused, address, bytes - 512, as_dma_buf, 0);
    // [/part]
    lockstep::report("not whole pages", lockstep::name_of(part));
    if (part == CUDA_SUCCESS) close(refused);
    lockstep::check(cudaFree(memory));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
