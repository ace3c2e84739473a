// Which questions about the device may a kernel ask? A part of those that the host may
// ask, with the same names. This kernel asks eight, and the host compares.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int questions = 8;

/// A kernel to ask about.
/// @param x  ints in device memory, one for each thread, increased
__global__ void some_kernel(int* x) { ++x[threadIdx.x]; }

// [ask]
/// Asks; the same function runs on the host and in a kernel.
/// @param answers  one number for each question, written: the answer, or an error as a
///                 negative number
__host__ __device__ void ask(long long* answers) {
    int device = 0, sms = 0, threads = 0, blocks = 0, devices = 0, ecc = 0;
    std::size_t pending = 0;
    cudaFuncAttributes attributes{};
    const cudaError_t errors[] = {
        cudaGetDevice(&device),
        cudaGetDeviceCount(&devices),
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device),
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device),
        cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount),
        cudaFuncGetAttributes(&attributes, some_kernel),
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, some_kernel, 256, 0),
        cudaDeviceGetAttribute(&ecc, cudaDevAttrEccEnabled, device)};
    const long long found[] = {device,
                               devices,
                               sms,
                               threads,
                               static_cast<long long>(pending),
                               attributes.maxThreadsPerBlock,
                               blocks,
                               ecc};
    for (int i = 0; i < questions; ++i)
        answers[i] = errors[i] == cudaSuccess ? found[i] : -errors[i];
}
// [/ask]

/// Asks in a kernel; one thread.
/// @param answers  one number for each question in device memory, written
__global__ void ask_in_kernel(long long* answers) { ask(answers); }

int main() {
    lockstep::require_device();

    std::vector<long long> on_host(questions);
    ask(on_host.data());
    lockstep::device_buffer<long long> answers(questions);
    answers.fill_bytes(0xFF);
    ask_in_kernel<<<1, 1>>>(answers.data());
    lockstep::check(cudaGetLastError());
    const std::vector<long long> in_kernel = answers.to_host();

    const char* labels[questions] = {"device",
                                     "number of devices",
                                     "SMs",
                                     "threads of a block, at most",
                                     "launches pending, at most",
                                     "most threads, some_kernel",
                                     "blocks an SM, some_kernel",
                                     "ECC enabled"};
    bool right = true;
    for (int i = 0; i < questions; ++i) {
        const long long answer = in_kernel[i];
        if (answer < 0)
            lockstep::report(labels[i],
                             cudaGetErrorName(static_cast<cudaError_t>(-answer)));
        else
            lockstep::report(labels[i], answer);
        const bool same = answer == on_host[i];
        lockstep::report("  as on the host", same);
        right &= same || i == 4;  // a limit may not be readable
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
