// A pool is as large as one allocation, and its policies leave nothing to chance: only
// event dependencies count. One stream has used the memory; now a second needs as much.
// Let it have the same memory, without making the host wait.

#include <cstddef>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int n = 16 << 20;
constexpr std::size_t bytes = n * sizeof(int);

/// Copies the last element of an array.
/// @param x     n ints in device memory
/// @param last  one int in device memory, written
__global__ void copy_last(const int* x, int* last) { *last = x[n - 1]; }

/// Hands memory of one stream on to another; the host does not wait.
/// @param pool    the pool; its limit is one allocation
/// @param x       n ints of the pool, used by work in `first` until now
/// @param first   stream that has used x
/// @param second  stream that needs n ints of the pool
/// @param event   an event without timing, for you to record
/// @return memory that work in `second` may use, or null if there was none
int* hand_on(cudaMemPool_t pool, int* x, cudaStream_t first, cudaStream_t second,
             cudaEvent_t event) {
    void* y = nullptr;
    cudaError_t error = cudaSuccess;
    // [task]
    lockstep::check(cudaFreeAsync(x, first));
    lockstep::check(cudaEventRecord(event, first));  // after the free
    lockstep::check(cudaStreamWaitEvent(second, event));
    error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //= given
    //| lockstep::check(cudaFreeAsync(x, first));
    //| error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //| (void)event;
    //= mutant records_too_early
    //| lockstep::check(cudaEventRecord(event, first));
    //| lockstep::check(cudaFreeAsync(x, first));
    //| lockstep::check(cudaStreamWaitEvent(second, event));
    //| error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //= mutant waits_too_late
    //| lockstep::check(cudaFreeAsync(x, first));
    //| lockstep::check(cudaEventRecord(event, first));
    //| error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //| lockstep::check(cudaStreamWaitEvent(second, event));
    //= mutant host_waits
    //| lockstep::check(cudaFreeAsync(x, first));
    //| lockstep::check(cudaStreamSynchronize(first));
    //| error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //| (void)event;
    //= mutant does_not_free
    //| error = cudaMallocFromPoolAsync(&y, bytes, pool, second);
    //| (void)first;
    //| (void)event;
    //| (void)x;
    // [/task]
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();  // the pool is full: an answer, which null gives
        return nullptr;
    }
    lockstep::check(error);
    return static_cast<int*>(y);
}

int main() {
    lockstep::require_device();

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.maxSize = bytes;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    int off = 0;
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off));
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &off));

    const lockstep::owned_stream first, second;
    const lockstep::owned_event event(cudaEventDisableTiming);
    lockstep::device_buffer<int> d_last(2);
    d_last.fill_bytes(0xFF);
    lockstep::stream_latch latch;
    lockstep::load_kernels(copy_last);
    lockstep::check(cudaDeviceSynchronize());

    void* x = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, bytes, pool, first));
    lockstep::check(cudaMemsetAsync(x, 1, bytes, first));
    latch.hold(first);  // the first stream reads late
    copy_last<<<1, 1, 0, first>>>(static_cast<int*>(x), d_last.data());
    lockstep::check(cudaGetLastError());
    int* y = hand_on(pool, static_cast<int*>(x), first, second, event);
    const bool at_once = latch.closed();
    if (y) {
        lockstep::check(cudaMemsetAsync(y, 2, bytes, second));
        copy_last<<<1, 1, 0, second>>>(y, d_last.data() + 1);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaFreeAsync(y, second));
    }
    latch.open();
    lockstep::check(cudaDeviceSynchronize());

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("the host did not wait", at_once, "order the streams by the event");
    verdict.holds("second stream has memory", y != nullptr,
                  "does the second stream wait for the free before it asks?");
    const auto place = [](std::size_t i) {
        return i == 0 ? "that of the first stream" : "that of the second stream";
    };
    verdict.equal("last elements", d_last.to_host(), {0x01010101, 0x02020202}, place);
    lockstep::check(cudaMemPoolDestroy(pool));
    return verdict.finish();
}
