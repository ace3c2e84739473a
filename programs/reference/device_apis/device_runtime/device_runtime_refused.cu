// Which functions of the runtime does the compiler refuse in a kernel? All that block,
// ask for the state of work, or configure the device, all that copy at once or through
// a symbol, and every allocation but that of the device heap. Each call below is an
// error of its own. One more function compiles, and is missing when nvcc links.

#include <cuda_runtime.h>

__device__ int symbol;

#ifdef ONLY_MISSING
/// Records an event with a function that is declared, and defined nowhere.
/// @param x  unused
__global__ void call_host_functions(int*) {
    cudaEvent_t event = nullptr;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecordWithFlags(event, nullptr, cudaEventRecordDefault);
}
#else
/// Calls what only the host may call.
/// @param x  an int in device memory
__global__ void call_host_functions(int* x) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    float ms = 0;
    void* p = nullptr;
    cudaDeviceProp properties;
    // [refused]
    cudaStreamCreate(&stream);
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0);
    cudaStreamSynchronize(stream);
    cudaStreamQuery(stream);
    cudaEventCreate(&event);
    cudaEventSynchronize(event);
    cudaEventQuery(event);
    cudaEventElapsedTime(&ms, event, event);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceSetLimit(cudaLimitStackSize, 2048);
    cudaGetDeviceProperties(&properties, 0);
    cudaMemcpy(x, x + 1, 4, cudaMemcpyDeviceToDevice);
    cudaMemset(x, 0, 4);
    cudaMemcpyToSymbol(symbol, x, 4);
    cudaGetSymbolAddress(&p, symbol);
    cudaMallocManaged(&p, 4);
    cudaMallocAsync(&p, 4, stream);
    cudaHostAlloc(&p, 4, cudaHostAllocMapped);
    cudaLaunchCooperativeKernel(p, 1, 1, nullptr, 0, stream);
    // [/refused]
}
#endif

int main() { return 0; }
