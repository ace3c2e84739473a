// Two GPUs take turns. How long does it take to hand the turn over: if the host waits
// for each, if events order the streams, and if two running kernels share a flag?

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void turn() {}

// [rally]
using flag_ref = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// Takes turns with the same kernel on the other GPU.
/// @param first   whether this one begins
/// @param turns   how many each has
/// @param mine    flag in this GPU's memory: the last turn that the other has ended
/// @param theirs  the same flag of the other GPU, in its memory
/// @param ended   one int in this GPU's memory: the turns that came
__global__ void rally(bool first, int turns, int* mine, int* theirs, int* ended) {
    const long long begin = clock64();
    for (int i = 1; i <= turns; ++i) {
        const int awaited = first ? i - 1 : i;
        while (flag_ref(*mine).load(cuda::memory_order_acquire) < awaited)
            if (clock64() - begin > 2'000'000'000) return;  // gives up after a second
        flag_ref(*theirs).store(i, cuda::memory_order_release);
        *ended = i;
    }
}
// [/rally]

int main() {
    lockstep::require_device(0, 2);

    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaDeviceEnablePeerAccess(0, 0));
    const lockstep::owned_stream stream_1;
    const lockstep::owned_event event_1(cudaEventDisableTiming);
    int* flags_1 = nullptr;
    lockstep::check(cudaMalloc(&flags_1, 2 * sizeof(int)));
    lockstep::check(cudaSetDevice(0));
    lockstep::check(cudaDeviceEnablePeerAccess(1, 0));
    const lockstep::owned_stream stream_0;
    const lockstep::owned_event event_0(cudaEventDisableTiming);
    int* flags_0 = nullptr;
    lockstep::check(cudaMalloc(&flags_0, 2 * sizeof(int)));

    constexpr int turns = 1000;  // of each GPU
    cudaStream_t const streams[] = {stream_0, stream_1};
    cudaEvent_t const events[] = {event_0, event_1};
    int* const flags[] = {flags_0, flags_1};
    const auto both_wait = [&] {
        for (const int device : {0, 1}) {
            lockstep::check(cudaSetDevice(device));
            lockstep::check(cudaStreamSynchronize(streams[device]));
        }
    };
    const auto by_host = [&] {
        for (int i = 0; i < turns; ++i)
            for (const int device : {0, 1}) {
                lockstep::check(cudaSetDevice(device));
                turn<<<1, 1, 0, streams[device]>>>();
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaStreamSynchronize(streams[device]));
            }
    };
    // [event]
    const auto by_event = [&] {
        for (int i = 0; i < turns; ++i)
            for (const int device : {0, 1}) {
                lockstep::check(cudaSetDevice(device));
                turn<<<1, 1, 0, streams[device]>>>();
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaEventRecord(events[device], streams[device]));
                lockstep::check(
                    cudaStreamWaitEvent(streams[1 - device], events[device], 0));
            }
        both_wait();
    };
    // [/event]
    const auto by_flag = [&] {
        for (const int device : {0, 1}) {
            lockstep::check(cudaSetDevice(device));
            lockstep::check(cudaMemset(flags[device], 0, 2 * sizeof(int)));
            lockstep::check(cudaDeviceSynchronize());
        }
        for (const int device : {0, 1}) {
            lockstep::check(cudaSetDevice(device));
            rally<<<1, 1, 0, streams[device]>>>(device == 0, turns, flags[device],
                                                flags[1 - device], flags[device] + 1);
            lockstep::check(cudaGetLastError());
        }
        both_wait();
    };
    const auto us = [&](const auto& take_turns) {
        return lockstep::measured{1e3 * lockstep::time_on_host(take_turns).median_ms /
                                  (2 * turns)};
    };
    lockstep::report("by the host", us(by_host), "us a turn");
    lockstep::report("by an event", us(by_event), "us a turn");
    lockstep::report("by a flag in memory", us(by_flag), "us a turn");
    bool all = true;
    for (const int device : {0, 1}) {
        int ended[2] = {};
        lockstep::check(
            cudaMemcpy(ended, flags[device], sizeof ended, cudaMemcpyDefault));
        all = all && ended[1] == turns;
        lockstep::check(cudaFree(flags[device]));
    }
    lockstep::report("all turns came", all);
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
