// What device code may ask of the device runtime: launches of kernels, streams and events of its
// own, and questions about the device.
#pragma once

#include "../../runtime/abi.hpp"

// Where a kernel launches; the host may pass them to a kernel.
#define cudaStreamTailLaunch ((cudaStream_t)(size_t)emulator_abi::launch_at_end)
#define cudaStreamFireAndForget ((cudaStream_t)(size_t)emulator_abi::launch_apart)

extern "C" {
// What clang's code for <<<>>> in device code calls, and what a program may call itself.
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size) __asm("__emu_parameters");
__device__ cudaError_t cudaLaunchDevice(void* kernel, void* buffer, dim3 grid, dim3 block,
                                        unsigned shared, cudaStream_t stream) __asm("__emu_launch");
__device__ int __emu_last_error(int clear);
__device__ int __emu_remember(int error);
__device__ const char* __emu_error_text(int error, int name);
__device__ int __emu_stream_create(cudaStream_t* made, unsigned flags);
__device__ int __emu_stream_destroy(cudaStream_t stream, const char* file, int line);
__device__ int __emu_stream_wait(cudaStream_t stream, cudaEvent_t event, unsigned flags,
                                 const char* file, int line);
__device__ int __emu_event_create(cudaEvent_t* made, unsigned flags);
__device__ int __emu_event_record(cudaEvent_t event, cudaStream_t stream, const char* file,
                                  int line);
__device__ int __emu_event_destroy(cudaEvent_t event, const char* file, int line);
__device__ int __emu_stream_fill(void* to, int value, size_t bytes, cudaStream_t stream,
                                 const char* file, int line);
__device__ int __emu_stream_copy(void* to, const void* from, size_t bytes, int kind,
                                 cudaStream_t stream, const char* file, int line);
__device__ int __emu_heap_allocate(void** made, size_t bytes);
__device__ int __emu_heap_release(void* p, const char* file, int line);
__device__ int __emu_device_attribute(int* found, int which, int device);
__device__ int __emu_device_limit(size_t* found, int which);
__device__ int __emu_kernel_query(int query, void* found, const void* kernel, int threads,
                                  size_t shared);
}

// What a function of the runtime wrote in a thread's name counts as the thread's own write.
template <class T>
__EMU_DEVICE cudaError_t __emu_given(int error, T* to, const T& value) {
    if (error == cudaSuccess) *to = value;
    return cudaError_t(__emu_remember(error));
}

// -- errors: of the thread

__EMU_DEVICE cudaError_t cudaGetLastError() { return cudaError_t(__emu_last_error(1)); }
__EMU_DEVICE cudaError_t cudaPeekAtLastError() { return cudaError_t(__emu_last_error(0)); }
__EMU_DEVICE const char* cudaGetErrorString(cudaError_t error) {
    return __emu_error_text(error, 0);
}
__EMU_DEVICE const char* cudaGetErrorName(cudaError_t error) { return __emu_error_text(error, 1); }

// -- streams and events: of the block

__EMU_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    cudaStream_t made = nullptr;
    const int error = __emu_stream_create(&made, flags);
    return __emu_given(error, stream, made);
}
__EMU_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream, __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_stream_destroy(stream, file, line)));
}
__EMU_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                             unsigned flags = 0, __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_stream_wait(stream, event, flags, file, line)));
}
__EMU_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    cudaEvent_t made = nullptr;
    const int error = __emu_event_create(&made, flags);
    return __emu_given(error, event, made);
}
__EMU_DEVICE cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_event_record(event, stream, file, line)));
}
__EMU_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t event, __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_event_destroy(event, file, line)));
}
__EMU_DEVICE cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream,
                                         __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_stream_fill(to, value, bytes, stream, file, line)));
}
__EMU_DEVICE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                         cudaMemcpyKind kind, cudaStream_t stream, __EMU_PLACE) {
    return cudaError_t(
        __emu_remember(__emu_stream_copy(to, from, bytes, kind, stream, file, line)));
}

// -- the heap of the device

__EMU_DEVICE cudaError_t cudaMalloc(void** p, size_t bytes) {
    void* made = nullptr;
    const int error = __emu_heap_allocate(&made, bytes);
    return __emu_given(error, p, made);
}
template <class T>
__EMU_DEVICE cudaError_t cudaMalloc(T** p, size_t bytes) {
    void* made = nullptr;
    const int error = __emu_heap_allocate(&made, bytes);
    return __emu_given(error, p, static_cast<T*>(made));
}
__EMU_DEVICE cudaError_t cudaFree(void* p, __EMU_PLACE) {
    return cudaError_t(__emu_remember(__emu_heap_release(p, file, line)));
}

// -- questions

__EMU_DEVICE cudaError_t cudaGetDevice(int* device) { return __emu_given(cudaSuccess, device, 0); }
__EMU_DEVICE cudaError_t cudaGetDeviceCount(int* count) {
    return __emu_given(cudaSuccess, count, 1);
}
__EMU_DEVICE cudaError_t cudaRuntimeGetVersion(int* version) {
    return __emu_given(cudaSuccess, version, emulator_hardware::device_runtime_version);
}
__EMU_DEVICE cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
    int found = 0;
    const int error = __emu_device_attribute(&found, which, device);
    return __emu_given(error, value, found);
}
__EMU_DEVICE cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
    size_t found = 0;
    const int error = __emu_device_limit(&found, which);
    return __emu_given(error, value, found);
}
template <class T>
__EMU_DEVICE cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    cudaFuncAttributes found{};
    const int error = __emu_kernel_query(emulator_abi::kernel_attributes, &found,
                                         reinterpret_cast<const void*>(kernel), 0, 0);
    return __emu_given(error, attributes, found);
}
template <class T>
__EMU_DEVICE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel,
                                                                       int threads, size_t shared) {
    int found = 0;
    const int error = __emu_kernel_query(emulator_abi::kernel_blocks, &found,
                                         reinterpret_cast<const void*>(kernel), threads, shared);
    return __emu_given(error, blocks, found);
}

// -- what kernels may call on a GPU and the emulator lacks: no program links that calls these

__device__ cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t,
                                         cudaMemcpyKind, cudaStream_t);
__device__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms*, cudaStream_t);
__device__ cudaError_t cudaMemset2DAsync(void*, size_t, int, size_t, size_t, cudaStream_t);
__device__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int, cudaExtent, cudaStream_t);
__device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned);
__device__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache*);
__device__ void* cudaGetParameterBufferV2(void*, dim3, dim3, unsigned);
__device__ cudaError_t cudaLaunchDeviceV2(void*, cudaStream_t);
