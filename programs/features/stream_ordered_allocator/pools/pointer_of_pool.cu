// What does the driver know of a pointer from a memory pool? Its device and its pool,
// but no context: the allocation belongs to the pool. And may it be set by a memset
// node of a graph, built by hand or captured?

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1024;

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    int* x = nullptr;
    lockstep::check(cudaMallocAsync(&x, n * sizeof(int), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    // [ask]
    const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(x);
    CUcontext context = nullptr;
    CUmemoryPool pool = nullptr;
    int ordinal = -1;
    const CUresult asked =
        cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, address);
    lockstep::check(
        cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
    lockstep::check(
        cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address));
    cudaPointerAttributes seen{};
    lockstep::check(cudaPointerGetAttributes(&seen, x));  // not after the free
    // [/ask]
    cudaMemPool_t usual = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&usual, 0));
    lockstep::report("asked for its context", lockstep::name_of(asked));
    lockstep::report("it has one", context != nullptr);
    lockstep::report("device", ordinal);
    lockstep::report("of the default pool", pool == usual);
    lockstep::report("memory of the device", seen.type == cudaMemoryTypeDevice);

    // [by-hand]
    cudaMemsetParams fill{};
    fill.dst = x;
    fill.elementSize = 1;
    fill.width = n * sizeof(int);
    fill.height = 1;
    fill.value = 2;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    const cudaError_t by_hand = cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
    // [/by-hand]
    lockstep::report("memset node by hand", cudaGetErrorName(by_hand));
    cudaGetLastError();  // forget it
    cudaGraphExec_t ready = nullptr;
    if (by_hand == cudaSuccess) {
        int first = 0;
        lockstep::check(cudaGraphInstantiate(&ready, graph, 0));
        lockstep::check(cudaGraphLaunch(ready, stream));
        lockstep::check(
            cudaMemcpyAsync(&first, x, sizeof first, cudaMemcpyDefault, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        lockstep::check(cudaGraphExecDestroy(ready));
        lockstep::report("memset node, right", first == 0x02020202);
    }

    // [captured]
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMemsetAsync(x, 1, n * sizeof(int), stream));
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    lockstep::check(cudaGraphInstantiate(&ready, graph, 0));
    lockstep::check(cudaGraphLaunch(ready, stream));
    // [/captured]
    std::vector<int> found(n);
    lockstep::check(
        cudaMemcpyAsync(found.data(), x, n * sizeof(int), cudaMemcpyDefault, stream));
    lockstep::check(cudaFreeAsync(x, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(ready));
    lockstep::check(cudaGraphDestroy(graph));
    const std::vector<int> expected(n, 0x01010101);
    const bool right = lockstep::count_mismatches(found, expected) == 0;
    lockstep::report("captured memset, right", right);
    return right && asked == CUDA_SUCCESS && !context && ordinal == 0 && pool == usual
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
