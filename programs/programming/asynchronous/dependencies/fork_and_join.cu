// How does work fan out over several streams and come together again? One event forks:
// two streams wait for it. One event for each of them joins: the first stream waits for
// both. A copy at the end brings a sum of everything that was joined before it.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Adds a number to each element; one block.
/// @param n       number of elements
/// @param x       n elements in device memory
/// @param number  what to add
__global__ void add(int n, int* x, int number) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] += number;
}

/// Adds up all elements; one thread.
/// @param n      number of elements
/// @param x      n elements in device memory
/// @param total  where the sum goes, in device memory
__global__ void sum(int n, const int* x, int* total) {
    int subtotal = 0;
    for (int i = 0; i < n; ++i) subtotal += x[i];
    *total = subtotal;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool forget = options.choice("join", {"both", "left"}) == 1;
    options.finish();
    lockstep::require_device();

    constexpr int n = 2000;
    constexpr int half = n / 2;
    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
    lockstep::device_buffer<int> d_total(1);
    lockstep::check(cudaDeviceSynchronize());
    int* total = nullptr;
    lockstep::check(cudaMallocHost(&total, sizeof(int)));
    *total = -1;
    cudaStream_t trunk = nullptr;
    cudaStream_t left = nullptr;
    cudaStream_t right = nullptr;
    for (cudaStream_t* stream : {&trunk, &left, &right})
        lockstep::check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    cudaEvent_t forked = nullptr;
    cudaEvent_t left_done = nullptr;
    cudaEvent_t right_done = nullptr;
    for (cudaEvent_t* event : {&forked, &left_done, &right_done})
        lockstep::check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    lockstep::stream_latch latch;
    lockstep::load_kernels(add, sum);

    // [fork]
    add<<<1, 256, 0, trunk>>>(n, d_x.data(), 1);
    lockstep::check(cudaEventRecord(forked, trunk));
    lockstep::check(cudaStreamWaitEvent(left, forked, 0));
    lockstep::check(cudaStreamWaitEvent(right, forked, 0));
    add<<<1, 256, 0, left>>>(half, d_x.data(), 10);
    latch.hold(right);  // the right branch takes longer
    add<<<1, 256, 0, right>>>(half, d_x.data() + half, 100);
    lockstep::check(cudaGetLastError());
    // [/fork]

    // [join]
    lockstep::check(cudaEventRecord(left_done, left));
    lockstep::check(cudaEventRecord(right_done, right));
    lockstep::check(cudaStreamWaitEvent(trunk, left_done, 0));
    if (!forget) lockstep::check(cudaStreamWaitEvent(trunk, right_done, 0));
    sum<<<1, 1, 0, trunk>>>(n, d_x.data(), d_total.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemcpyAsync(total, d_total.data(), sizeof(int),
                                    cudaMemcpyDeviceToHost, trunk));
    // [/join]

    lockstep::check(cudaStreamSynchronize(left));
    if (forget) lockstep::check(cudaStreamSynchronize(trunk));
    const cudaError_t left_held = cudaStreamQuery(left);
    const cudaError_t right_held = cudaStreamQuery(right);
    const cudaError_t trunk_held = cudaStreamQuery(trunk);
    latch.open();
    lockstep::check(cudaDeviceSynchronize());

    lockstep::report("latch closed: left", cudaGetErrorName(left_held));
    lockstep::report("latch closed: right", cudaGetErrorName(right_held));
    lockstep::report("latch closed: trunk", cudaGetErrorName(trunk_held));
    const int found = *total;
    lockstep::report("sum", found);
    for (cudaEvent_t event : {forked, left_done, right_done})
        lockstep::check(cudaEventDestroy(event));
    for (cudaStream_t stream : {trunk, left, right})
        lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(total));
    const int expected = half * (1 + 10) + half * (forget ? 1 : 1 + 100);
    const bool in_order = left_held == cudaSuccess && right_held == cudaErrorNotReady &&
                          trunk_held == (forget ? cudaSuccess : cudaErrorNotReady);
    return found == expected && in_order && !latch.gave_up() ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
