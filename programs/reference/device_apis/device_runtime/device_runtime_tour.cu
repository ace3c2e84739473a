// Which functions of the device runtime can a kernel call, and what do they return? One
// thread calls every one that does not belong to a graph or a dependent launch. All
// return cudaSuccess, except the launch that is wrong on purpose: its error is known to
// that thread alone, until cudaGetLastError() clears it. Whether the work has been done
// is printed, not judged: on an H200 with driver 580 no filled byte got its value.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int calls = 30;
constexpr int width = 8, height = 4, depth = 2;  // of the small array, in bytes
constexpr int n = width * height * depth;

/// What the calls returned.
struct findings {
    int errors[calls];  ///< in the order of the calls
    int other_thread;  ///< last error of a thread that launched nothing
    int after_clearing;  ///< last error of the first thread, asked again
    char name[32];  ///< cudaGetErrorName() of that error
    char text[64];  ///< cudaGetErrorString() of it
    int device, devices, sms, version, blocks, potential_block, potential_grid;
    std::size_t pending;
    int cache, child;
    int before, after, filled;  ///< 1: what surrounds the wrong launch has run
};

/// The child.
/// @param x  an int in device memory, increased
__global__ void child(int* x) { atomicAdd(x, 1); }

/// Copies a text.
/// @param from  ends in 0
/// @param to    large enough
__device__ void copy_text(const char* from, char* to) {
    while ((*to++ = *from++) != 0) {
    }
}

/// Dynamic shared memory of a block.
struct no_shared_memory {
    __host__ __device__ std::size_t operator()(int) const { return 0; }
};

/// Calls the device runtime; one thread.
/// @param found  in device memory, zeros, written
/// @param bytes  6 * n bytes in device memory, written
__global__ void call_runtime(findings* found, unsigned char* bytes) {
    int* error = found->errors;
    // [questions]
    cudaFuncCache cache = cudaFuncCachePreferL1;
    cudaFuncAttributes attributes = {};
    int blocks = 0;
    *error++ =
        cudaDeviceGetLimit(&found->pending, cudaLimitDevRuntimePendingLaunchCount);
    *error++ = cudaDeviceGetCacheConfig(&cache);
    *error++ = cudaGetDeviceCount(&found->devices);
    *error++ = cudaGetDevice(&found->device);
    *error++ = cudaDeviceGetAttribute(&found->sms, cudaDevAttrMultiProcessorCount, 0);
    *error++ = cudaFuncGetAttributes(&attributes, child);
    *error++ =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found->blocks, child, 256, 0);
    *error++ = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, child, 256, 0, cudaOccupancyDefault);
    *error++ = cudaOccupancyMaxPotentialBlockSize(&found->potential_grid,
                                                  &found->potential_block, child);
    *error++ = cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        &found->potential_grid, &found->potential_block, child, no_shared_memory());
    *error++ = cudaRuntimeGetVersion(&found->version);
    // [/questions]
    found->cache = cache;
    // [streams]
    cudaStream_t stream = nullptr, other = nullptr;
    cudaEvent_t event = nullptr;
    *error++ = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    *error++ = cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    *error++ = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    child<<<1, 1, 0, stream>>>(&found->child);
    *error++ = cudaGetLastError();
    *error++ = cudaEventRecord(event, stream);
    *error++ = cudaStreamWaitEvent(other, event, 0);
    child<<<1, 1, 0, other>>>(&found->child);
    *error++ = cudaPeekAtLastError();
    *error++ = cudaEventDestroy(event);
    // [/streams]
    // [memory]
    void* block = nullptr;
    *error++ = cudaMalloc(&block, 64);
    *error++ = cudaFree(block);
    *error++ = cudaMemsetAsync(bytes, 1, n, stream);
    *error++ = cudaMemset2DAsync(bytes + n, width, 2, width, n / width, stream);
    cudaPitchedPtr volume = {bytes + 2 * n, width, width, height};
    const cudaExtent extent = {width, height, depth};
    *error++ = cudaMemset3DAsync(volume, 3, extent, stream);
    *error++ =
        cudaMemcpyAsync(bytes + 3 * n, bytes, n, cudaMemcpyDeviceToDevice, stream);
    *error++ = cudaMemcpy2DAsync(bytes + 4 * n, width, bytes + n, width, width,
                                 n / width, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpy3DParms parameters = {};
    parameters.srcPtr = volume;
    parameters.dstPtr = {bytes + 5 * n, width, width, height};
    parameters.extent = extent;
    parameters.kind = cudaMemcpyDeviceToDevice;
    *error++ = cudaMemcpy3DAsync(&parameters, stream);
    *error++ = cudaStreamDestroy(stream);
    *error++ = cudaStreamDestroy(other);
    // [/memory]
}

// [errors]
/// Launches wrongly in thread 0, between correct launches in the same stream; thread 1
/// asks for its own last error only.
/// @param found  in device memory, written
__global__ void launch_wrongly(findings* found) {
    if (threadIdx.x == 1) {
        found->other_thread = cudaPeekAtLastError();
        return;
    }
    child<<<1, 1>>>(&found->before);
    cudaMemsetAsync(&found->filled, 1, 1, nullptr);
    child<<<1, 2048>>>(&found->child);  // no block has so many threads
    found->errors[calls - 1] = cudaGetLastError();
    found->after_clearing = cudaGetLastError();
    child<<<1, 1>>>(&found->after);
    copy_text(cudaGetErrorName(cudaErrorInvalidConfiguration), found->name);
    copy_text(cudaGetErrorString(cudaErrorInvalidConfiguration), found->text);
}
// [/errors]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<findings> d_found(1);
    lockstep::device_buffer<unsigned char> d_bytes(6 * n);
    d_found.fill_bytes(0);
    d_bytes.fill_bytes(0xFF);
    call_runtime<<<1, 1>>>(d_found.data(), d_bytes.data());
    lockstep::check(cudaGetLastError());
    launch_wrongly<<<1, 2>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    const findings found = d_found.to_host()[0];
    const std::vector<unsigned char> bytes = d_bytes.to_host();

    const char* names[calls] = {"cudaDeviceGetLimit",
                                "cudaDeviceGetCacheConfig",
                                "cudaGetDeviceCount",
                                "cudaGetDevice",
                                "cudaDeviceGetAttribute",
                                "cudaFuncGetAttributes",
                                "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                "  the same, WithFlags",
                                "cudaOccupancyMaxPotentialBlockSize",
                                "  the same, VariableSMem",
                                "cudaRuntimeGetVersion",
                                "cudaStreamCreateWithFlags",
                                "  a second one",
                                "cudaEventCreateWithFlags",
                                "cudaGetLastError, launch accepted",
                                "cudaEventRecord",
                                "cudaStreamWaitEvent",
                                "cudaPeekAtLastError, launch accepted",
                                "cudaEventDestroy",
                                "cudaMalloc",
                                "cudaFree",
                                "cudaMemsetAsync",
                                "cudaMemset2DAsync",
                                "cudaMemset3DAsync",
                                "cudaMemcpyAsync",
                                "cudaMemcpy2DAsync",
                                "cudaMemcpy3DAsync",
                                "cudaStreamDestroy",
                                "  a second one",
                                "cudaGetLastError, 2048 threads"};
    bool right = true;
    for (int i = 0; i < calls; ++i) {
        const auto error = static_cast<cudaError_t>(found.errors[i]);
        std::printf("%-47s%s\n", names[i], cudaGetErrorName(error));
        right =
            right &&
            (error == (i + 1 < calls ? cudaSuccess : cudaErrorInvalidConfiguration));
    }
    const auto name = [](int error) {
        return cudaGetErrorName(static_cast<cudaError_t>(error));
    };
    std::printf("%-47s%s\n", "  asked again", name(found.after_clearing));
    std::printf("%-47s%s\n", "  asked by another thread", name(found.other_thread));
    const auto ran = [](int times) { return times == 1 ? "ran" : "did not run"; };
    std::printf("%-47s%s\n", "  grid launched before it", ran(found.before));
    std::printf("%-47s%s\n", "  cudaMemsetAsync before it", ran(found.filled));
    std::printf("%-47s%s\n", "  grid launched after it", ran(found.after));
    std::printf("%-47s%s\n", "cudaGetErrorName", found.name);
    std::printf("%-47s%s\n", "cudaGetErrorString", found.text);
    std::printf("%-47s%zu\n", "launches that may be pending", found.pending);
    std::printf("%-47s%d\n", "version of the device runtime", found.version);
    int set = 0;
    for (int i = 0; i < 6 * n; ++i) set += bytes[i] == 1 + i / n % 3;
    std::printf("%-47s%d of 2\n", "child grids in two streams that ran", found.child);
    std::printf("%-47s%d of %d\n", "bytes filled and copied", set, 6 * n);
    int sms = 0, blocks = 0, devices = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaGetDeviceCount(&devices));
    lockstep::check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, child, 256, 0));
    right = right && found.after_clearing == cudaSuccess &&
            found.other_thread == cudaSuccess && found.sms == sms &&
            found.blocks == blocks && found.devices == devices && found.device == 0 &&
            found.potential_block > 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
