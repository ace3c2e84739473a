#include "device_runtime.hpp"

#include "copies.hpp"
#include "faults.hpp"
#include "kernel_streams.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "memory_sides.hpp"
#include "properties.hpp"

using namespace emulator;

// Fills and copies, the heap, and numbers.

namespace {

// Shared and local memory, and the host's own, are not for these functions.
bool is_global(const void* p, size_t bytes) {
    return __emu_space(p) == abi::space_global && fits(p, bytes);
}

template <class T>
cudaError_t queue(const T& wanted, cudaStream_t stream, const char* file, int line) {
    put_in(stream, place_text(file, line),
           [wanted, priority = running_work->priority](const std::vector<work_item>& after) {
               return put_apart([wanted] { return carry_out(wanted); }, after, priority);
           });
    return cudaSuccess;
}

}  // namespace

extern "C" {

int __emu_stream_fill(void* to, int value, size_t bytes, cudaStream_t stream, const char* file,
                      int line) {
    if (!is_global(to, bytes)) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    return queue(cudaMemsetParams{to, bytes, unsigned(value & 0xff), 1, bytes, 1}, stream, file,
                 line);
}

int __emu_stream_copy(void* to, const void* from, size_t bytes, int kind, cudaStream_t stream,
                      const char* file, int line) {
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!is_global(to, bytes) || !is_global(from, bytes)) return cudaErrorInvalidValue;
    if (bytes == 0) return cudaSuccess;
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    copy.dstPtr = {to, bytes, bytes, 1};
    copy.extent = {bytes, 1, 1};
    copy.kind = cudaMemcpyDefault;
    return queue(copy, stream, file, line);
}

int __emu_heap_allocate(void** made, size_t bytes) {
    *made = __emu_device_malloc(bytes);
    return *made || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
int __emu_heap_release(void* p, const char* file, int line) {
    const memory_allocation* found = find_allocation(p);
    if (p && (!found || found->kind != heap_memory || !release(p)))
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "frees memory that no kernel has allocated");
    return cudaSuccess;
}

const char* __emu_error_text(int error, int name) {
    return name ? cudaGetErrorName(cudaError_t(error)) : cudaGetErrorString(cudaError_t(error));
}

int __emu_device_attribute(int* found, int which, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    return attribute(found, cudaDeviceAttr(which)) ? cudaSuccess : cudaErrorInvalidValue;
}
int __emu_device_limit(size_t* found, int which) {
    switch (which) {
        case cudaLimitMallocHeapSize: *found = heap_limit; return cudaSuccess;
        case cudaLimitDevRuntimePendingLaunchCount:
            *found = most_pending_launches;
            return cudaSuccess;
        default: return cudaErrorUnsupportedLimit;
    }
}
int __emu_kernel_query(int query, void* found, const void* named, int threads, size_t shared) {
    const kernel_entry* kernel = kernel_in_device_code(named);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (query == abi::kernel_attributes) {
        *static_cast<cudaFuncAttributes*>(found) = attributes_of(*kernel);
        return cudaSuccess;
    }
    if (threads <= 0) return cudaErrorInvalidValue;
    *static_cast<int*>(found) = threads > int(hardware::max_threads_per_block)
                                    ? 0
                                    : resident_blocks(*kernel, threads, shared);
    return cudaSuccess;
}

void __emu_trap() { fault(cudaErrorLaunchFailure, "", "executes the instruction trap"); }

}  // extern "C"
