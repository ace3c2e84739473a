// How does a program use managed memory where CPU and GPU may not at the same time?
// Four threads, each with a stream and a range that is attached to that stream: a
// thread may touch its range once its own stream is idle, whatever the others do. The
// program is right everywhere; only where concurrent access is 0 is it necessary.

#include <cstdlib>
#include <thread>
#include <vector>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 14;
constexpr int steps = 5;

/// Doubles every element.
/// @param data  n values
__global__ void double_each(long long* data) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

// [thread]
/// Kernel and CPU in turns, on a range of its own.
/// @param seed  first value
/// @param sum   receives the sum of all elements at the end
void work(int seed, long long* sum) {
    // Destroy would undo the attachment: free the range before the stream goes
    const lockstep::owned_stream stream;
    long long* data = nullptr;
    // visible to the host alone until it is attached: no other kernel is in the way
    lockstep::check(cudaMallocManaged(&data, n * sizeof *data, cudaMemAttachHost));
    for (int i = 0; i < n; ++i) data[i] = seed + i;
    lockstep::check(cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle));
    lockstep::check(cudaStreamSynchronize(stream));  // attached only now
    for (int step = 0; step < steps; ++step) {
        double_each<<<n / 256, 256, 0, stream>>>(data);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamSynchronize(stream));
        for (int i = 0; i < n; ++i) data[i] += 1;  // only this stream must be idle
    }
    *sum = 0;
    for (int i = 0; i < n; ++i) *sum += data[i];
    lockstep::check(cudaFree(data));
}
// [/thread]

/// What work() should find, without a GPU.
/// @param seed  first value
long long expected(int seed) {
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        long long value = seed + i;
        for (int step = 0; step < steps; ++step) value = 2 * value + 1;
        sum += value;
    }
    return sum;
}

int main() {
    lockstep::require_device();
    // [threads]
    constexpr int count = 4;
    std::vector<long long> sums(count);
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, 100 * i, &sums[i]);
    for (std::thread& one : threads) one.join();
    // [/threads]
    bool right = true;
    for (int i = 0; i < count; ++i) right = right && sums[i] == expected(100 * i);
    lockstep::report("four threads, sums right", right);

    // [driver]
    lockstep::check(cudaSetDevice(0));  // makes the context current in this thread
    CUdeviceptr managed = 0;
    lockstep::check(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_HOST));
    const lockstep::owned_stream stream;
    const CUresult global =
        cuStreamAttachMemAsync(stream, managed, 0, CU_MEM_ATTACH_GLOBAL);
    // [/driver]
    lockstep::report("driver API: attach to all", lockstep::name_of(global));

    // [capture]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    const cudaError_t captured = cudaStreamAttachMemAsync(
        stream, reinterpret_cast<void*>(managed), 0, cudaMemAttachGlobal);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    // [/capture]
    lockstep::report("attach during capture", cudaGetErrorName(captured));
    lockstep::report("capture ended with", cudaGetErrorName(ended));
    if (graph) lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cuMemFree(managed));
    return right && global == CUDA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
