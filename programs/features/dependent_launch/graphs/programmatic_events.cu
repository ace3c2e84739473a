// Can a kernel in another stream depend on a trigger? Yes, through an event that the
// primary's launch records. It can also fire when the primary's blocks have begun. When
// does the secondary start, in streams and as a captured graph, and does its wait still
// cover the primary?

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// When two kernels began, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long first_begin;  ///< of the primary's earliest block
    unsigned long long second_begin;  ///< of the secondary's earliest block
};

/// A word that one kernel may store while another loads it.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// The primary: works for 60 us, triggers half-way, stores at the end.
/// @param data  one int for each block in device memory, written
/// @param when  in device memory
__global__ void primary(int* data, stamps* when) {
    atomicMin(&when->first_begin, lockstep::now_ns());
    lockstep::busy_wait(30'000);
    cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(30'000);
    shared_word(data[blockIdx.x]).store(9, cuda::memory_order_relaxed);
}

/// The secondary: waits, and copies.
/// @param data   one int for each block in device memory
/// @param found  one int for each block in device memory, written
/// @param when   in device memory
__global__ void secondary(int* data, int* found, stamps* when) {
    atomicMin(&when->second_begin, lockstep::now_ns());
    cudaGridDependencySynchronize();
    found[blockIdx.x] = shared_word(data[blockIdx.x]).load(cuda::memory_order_relaxed);
}

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 16;
    constexpr int rounds = 21;
    lockstep::device_buffer<int> data(blocks);
    lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<stamps> times(1);
    const lockstep::owned_stream stream;
    const lockstep::owned_stream side;
    const lockstep::owned_event event(cudaEventDisableTiming);
    const lockstep::owned_event joined(cudaEventDisableTiming);
    // runs the pair with an attribute of the primary, or none; returns whether the
    // results are right
    const auto run = [&](const char* name, cudaLaunchAttribute* record, bool early,
                         bool captured = false) {
        std::vector<double> starts;
        long long stale = 0;
        const auto enqueue = [&] {
            // [pair]
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(blocks);
            config.blockDim = dim3(32);
            config.stream = stream;
            config.attrs = record;
            config.numAttrs = record ? 1 : 0;
            lockstep::check(
                cudaLaunchKernelEx(&config, primary, data.data(), times.data()));
            if (!record) lockstep::check(cudaEventRecord(event, stream));
            lockstep::check(cudaStreamWaitEvent(side, event));
            cudaLaunchAttribute serialization{};
            serialization.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            serialization.val.programmaticStreamSerializationAllowed = early ? 1 : 0;
            config.stream = side;
            config.attrs = &serialization;
            config.numAttrs = 1;
            lockstep::check(cudaLaunchKernelEx(&config, secondary, data.data(),
                                               found.data(), times.data()));
            // [/pair]
        };
        cudaGraphExec_t executable{};
        if (captured) {
            // [captured]
            cudaGraph_t graph{};
            lockstep::check(
                cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
            enqueue();
            lockstep::check(cudaEventRecord(joined, side));
            lockstep::check(cudaStreamWaitEvent(stream, joined));
            lockstep::check(cudaStreamEndCapture(stream, &graph));
            lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
            lockstep::check(cudaGraphDestroy(graph));
            // [/captured]
        }
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            data.fill_bytes(0);
            times.fill_bytes(0xFF);
            lockstep::check(cudaDeviceSynchronize());
            if (captured)
                lockstep::check(cudaGraphLaunch(executable, stream));
            else
                enqueue();
            lockstep::check(cudaDeviceSynchronize());
            if (round < 0) continue;
            for (const int value : found.to_host()) stale += value != 9;
            const stamps when = times.to_host()[0];
            starts.push_back(1e-3 * (when.second_begin - when.first_begin));
        }
        if (executable) lockstep::check(cudaGraphExecDestroy(executable));
        char start[24];
        std::snprintf(start, sizeof start, "~%.1f us",
                      lockstep::summarize(starts).median_ms);
        std::printf("%-34s%-14s%s\n", name, start, stale == 0 ? "right" : "stale");
        return stale == 0;
    };
    // [events]
    cudaLaunchAttribute record{};
    record.id = cudaLaunchAttributeProgrammaticEvent;
    record.val.programmaticEvent.event = event;
    cudaLaunchAttribute begun{};
    begun.id = cudaLaunchAttributeLaunchCompletionEvent;
    begun.val.launchCompletionEvent.event = event;
    bool right = true;
    for (const bool early : {false, true}) {
        std::printf("%-34s%-14s%s\n",
                    early ? "secondary with the attribute" : "plain secondary",
                    "2nd starts", "results");
        right = run("recorded after the primary", nullptr, early) && right;
        record.val.programmaticEvent.triggerAtBlockStart = 0;
        right = run("programmatic, by the trigger", &record, early) && right;
        record.val.programmaticEvent.triggerAtBlockStart = 1;
        right = run("programmatic, at block start", &record, early) && right;
        run("launch completion", &begun, early);  // promises nothing about results
    }
    // [/events]
    std::printf("%-34s%-14s%s\n", "plain secondary, captured", "2nd starts", "results");
    right = run("graph: recorded after", nullptr, false, true) && right;
    record.val.programmaticEvent.triggerAtBlockStart = 0;
    right = run("graph: by the trigger", &record, false, true) && right;
    record.val.programmaticEvent.triggerAtBlockStart = 1;
    right = run("graph: at block start", &record, false, true) && right;
    run("graph: launch completion", &begun, false, true);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
