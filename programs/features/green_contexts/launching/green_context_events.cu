// How does all work of one green context wait for all work of another one? With a
// single event: the one context records it for all its streams, the other waits for it
// with all of its streams. A context can also be waited for on the host.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Passes time, then takes a number of a counter: the first to end has the lowest.
/// @param ns       how long, in nanoseconds
/// @param counter  tickets drawn so far, in device memory
/// @param ticket   one int in device memory, written
__global__ void task(unsigned long long ns, int* counter, int* ticket) {
    lockstep::busy_wait(ns);
    *ticket = atomicAdd(counter, 1);
}

int main() {
    lockstep::require_device();
    CUdevResource all = lockstep::all_sms();
    CUdevResource groups[2]{};
    unsigned count = 2;
    lockstep::check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16));
    const lockstep::green_context first(&groups[0]);
    const lockstep::green_context second(&groups[1]);
    CUstream more[2]{};  // each context has two streams
    lockstep::check(cuGreenCtxStreamCreate(&more[0], first, CU_STREAM_NON_BLOCKING, 0));
    lockstep::check(
        cuGreenCtxStreamCreate(&more[1], second, CU_STREAM_NON_BLOCKING, 0));
    lockstep::load_kernels(task);
    lockstep::device_buffer<int> tickets(5);  // the counter, then one for each task
    const lockstep::owned_event done(cudaEventDisableTiming);

    // [order]
    const auto second_ended_last = [&](bool wait) {
        tickets.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        int* counter = tickets.data();
        task<<<1, 1, 0, first.stream()>>>(300'000, counter, tickets.data() + 1);
        task<<<1, 1, 0, more[0]>>>(600'000, counter, tickets.data() + 2);
        lockstep::check(cudaGetLastError());
        if (wait) {
            lockstep::check(cuGreenCtxRecordEvent(first, done));
            lockstep::check(cuGreenCtxWaitEvent(second, done));
        }
        task<<<1, 1, 0, second.stream()>>>(0, counter, tickets.data() + 3);
        task<<<1, 1, 0, more[1]>>>(0, counter, tickets.data() + 4);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        const auto ticket = tickets.to_host();
        return ticket[3] > 1 && ticket[4] > 1;  // both after 0 and 1
    };
    // [/order]
    const bool unordered = second_ended_last(false);
    const bool ordered = second_ended_last(true);

    // [synchronize]
    CUcontext second_as_context = nullptr;
    lockstep::check(cuCtxFromGreenCtx(&second_as_context, second));
    CUcontext primary = nullptr;
    lockstep::check(cuCtxGetCurrent(&primary));
    lockstep::stream_latch latch;
    latch.hold(first.stream());
    lockstep::check(cuCtxPushCurrent(second_as_context));
    lockstep::check(cuCtxSynchronize());  // the second context alone
    lockstep::check(cuCtxPopCurrent(nullptr));
    const CUresult first_then = cuStreamQuery(first.stream());
    latch.open();
    task<<<1, 1, 0, first.stream()>>>(5'000'000, tickets.data(), tickets.data() + 1);
    lockstep::check(cudaGetLastError());  // runs for 5 ms
    lockstep::check(cuCtxSynchronize());  // the primary one, and all green ones
    const CUresult first_now = cuStreamQuery(first.stream());
    // [/synchronize]
    lockstep::report("without events, B after A", unordered);
    lockstep::report("with the event, B after A", ordered);
    lockstep::report("A while B is synchronized", lockstep::name_of(first_then));
    lockstep::report("A after the primary", lockstep::name_of(first_now));
    for (CUstream stream : more) lockstep::check(cuStreamDestroy(stream));
    return ordered && first_then == CUDA_ERROR_NOT_READY && first_now == CUDA_SUCCESS &&
                   !latch.gave_up()
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
