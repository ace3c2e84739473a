// Memory was freed in one stream, and now a stream asks for as much. Does it receive
// the same memory? That depends on what the driver knows of the order of the two, and
// on the reuse policies of the pool. Six situations, five settings.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr std::size_t bytes = 32 << 20;

enum situation { same_stream, pending, event_between, done, synchronized, pool_full };

/// Which policies are on.
struct policies {
    int events;
    int opportunistic;
    int internal;
};

/// Frees in one stream, allocates again, and says where the memory came from.
/// @param now  what relates the two operations
/// @param on   the policies of the pool
const char* source_of_memory(situation now, policies on) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    if (now == pool_full) props.maxSize = bytes;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    // [policies]
    std::uint64_t keep = UINT64_MAX;
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    lockstep::check(cudaMemPoolSetAttribute(
        pool, cudaMemPoolReuseFollowEventDependencies, &on.events));
    lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic,
                                            &on.opportunistic));
    lockstep::check(cudaMemPoolSetAttribute(
        pool, cudaMemPoolReuseAllowInternalDependencies, &on.internal));
    // [/policies]
    const lockstep::owned_stream first, second;
    const lockstep::owned_event freed(cudaEventDisableTiming);
    lockstep::stream_latch latch;
    // [situations]
    void* x = nullptr;
    void* y = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, bytes, pool, first));
    lockstep::check(cudaStreamSynchronize(first));
    latch.hold(first);  // what follows in this stream is pending
    lockstep::check(cudaFreeAsync(x, first));
    if (now == event_between) {
        lockstep::check(cudaEventRecord(freed, first));
        lockstep::check(cudaStreamWaitEvent(second, freed));
    }
    if (now == done) {
        latch.open();
        while (latch.closed()) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (now == synchronized) {
        latch.open();
        lockstep::check(cudaStreamSynchronize(first));
    }
    const cudaStream_t asks = now == same_stream ? first : second;
    const cudaError_t error = cudaMallocFromPoolAsync(&y, bytes, pool, asks);
    // [/situations]
    latch.open();
    if (error == cudaSuccess)
        lockstep::check(cudaFreeAsync(y, asks));
    else
        cudaGetLastError();  // cleared: `error` keeps the refusal
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaMemPoolDestroy(pool));
    return error != cudaSuccess ? "refused" : x == y ? "reused" : "new";
}

int main() {
    lockstep::require_device();

    const char* names[] = {"same stream, pending",       "other stream, pending",
                           "other stream waits: event",  "other stream, completed",
                           "other stream, synchronized", "other stream, pool full"};
    const policies settings[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    // what the guide says: reused, new or refused
    const char* known[] = {"rrrrr", "nnnnn", "nrnnr", "nnrnr", "rrrrr", "fffrr"};
    bool as_known = true;
    std::printf("%-28s%10s%10s%15s%10s%10s\n", "the free, and who asks", "none",
                "events", "opportunistic", "internal", "all");
    for (int row = same_stream; row <= pool_full; ++row) {
        std::printf("%-28s", names[row]);
        for (int i = 0; i < 5; ++i) {
            const char* found = source_of_memory(situation(row), settings[i]);
            std::printf("%*s", i == 2 ? 15 : 10, found);
            as_known = as_known && known[row][i] == (found[2] == 'f' ? 'f' : *found);
        }
        std::printf("\n");
    }
    return as_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
