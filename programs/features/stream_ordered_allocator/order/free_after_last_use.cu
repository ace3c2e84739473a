// Each round passes an array from one stream to another in temporary memory: the
// producer allocates and fills it, the consumer copies it out, and the producer frees
// it. Put the operations in order by events, without making the host wait. Give all
// memory back.

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int n = 1000;
constexpr int rounds = 4;

/// Stores numbers in succession.
/// @param x       n ints in device memory, written
/// @param number  the first number
__global__ void fill(int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = number + i;
}

/// Copies an array, a little late.
/// @param from  n ints in device memory
/// @param to    n ints in device memory, written
__global__ void copy_late(const int* from, int* to) {
    lockstep::busy_wait(1'000'000);  // 1 ms
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

/// Passes one array on; the host does not wait.
/// @param producer  stream that allocates, fills and frees
/// @param consumer  stream that copies
/// @param filled    event to record once the memory is filled
/// @param copied    event to record once it is copied
/// @param number    first of the numbers that the memory is filled with
/// @param to        n ints in device memory, for the copy
void pass_on(cudaStream_t producer, cudaStream_t consumer, cudaEvent_t filled,
             cudaEvent_t copied, int number, int* to) {
    int* x = nullptr;
    lockstep::check(cudaMallocAsync(&x, n * sizeof(int), producer));
    fill<<<(n + 255) / 256, 256, 0, producer>>>(x, number);
    lockstep::check(cudaGetLastError());
    // [task]
    lockstep::check(cudaEventRecord(filled, producer));
    lockstep::check(cudaStreamWaitEvent(consumer, filled));
    copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    lockstep::check(cudaEventRecord(copied, consumer));
    lockstep::check(cudaStreamWaitEvent(producer, copied));
    lockstep::check(cudaFreeAsync(x, producer));
    //= given
    //| copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    //| (void)filled;
    //| (void)copied;
    //= mutant free_too_early
    //| lockstep::check(cudaEventRecord(filled, producer));
    //| lockstep::check(cudaStreamWaitEvent(consumer, filled));
    //| copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    //| lockstep::check(cudaFreeAsync(x, producer));
    //| (void)copied;
    //= mutant use_too_early
    //| copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    //| lockstep::check(cudaEventRecord(copied, consumer));
    //| lockstep::check(cudaStreamWaitEvent(producer, copied));
    //| lockstep::check(cudaFreeAsync(x, producer));
    //| (void)filled;
    //= mutant host_waits
    //| lockstep::check(cudaStreamSynchronize(producer));
    //| copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    //| lockstep::check(cudaStreamSynchronize(consumer));
    //| lockstep::check(cudaFreeAsync(x, producer));
    //| (void)filled;
    //| (void)copied;
    //= mutant never_freed
    //| lockstep::check(cudaEventRecord(filled, producer));
    //| lockstep::check(cudaStreamWaitEvent(consumer, filled));
    //| copy_late<<<(n + 255) / 256, 256, 0, consumer>>>(x, to);
    //| lockstep::check(cudaEventRecord(copied, consumer));
    //| lockstep::check(cudaStreamWaitEvent(producer, copied));
    // [/task]
    lockstep::check(cudaGetLastError());
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream producer, consumer;
    const lockstep::owned_event filled(cudaEventDisableTiming);
    const lockstep::owned_event copied(cudaEventDisableTiming);
    lockstep::device_buffer<int> d_result(rounds * n);
    d_result.fill_bytes(0xFF);
    lockstep::stream_latch latch;
    lockstep::load_kernels(fill, copy_late);
    lockstep::check(cudaDeviceSynchronize());

    latch.hold(producer);  // nothing is filled before the host has enqueued everything
    for (int round = 0; round < rounds; ++round)
        pass_on(producer, consumer, filled, copied, round * n,
                d_result.data() + round * n);
    const bool at_once = latch.closed();
    // a consumer that does not wait for the producer copies now, which is too early
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    latch.open();
    lockstep::check(cudaDeviceSynchronize());

    std::vector<int> expected(rounds * n);
    for (int i = 0; i < rounds * n; ++i) expected[i] = i;
    cudaMemPool_t pool = nullptr;
    std::uint64_t used = 0;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 0));
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    lockstep::exercise_verdict verdict(-1);
    verdict.holds("the host did not wait", at_once,
                  "order the streams by events, not by synchronizing");
    verdict.equal("copies", d_result.to_host(), expected,
                  lockstep::in_groups(n, "round", "element"));
    verdict.holds("all memory is given back", used == 0, "free what was allocated");
    return verdict.finish();
}
