// One GPU has unfinished work in a stream. Does a copy between the two GPUs wait for
// it? Asked for three kinds of streams of the other GPU, and for a copy in the NULL
// stream and in a non-blocking stream.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

int main() {
    lockstep::require_device(0, 2);

    int* memory[2] = {};
    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaMalloc(&memory[device], 1 << 20));
        lockstep::check(cudaMemset(memory[device], 0, 1 << 20));
        lockstep::check(cudaDeviceSynchronize());
    }
    // device 1 is current
    const lockstep::owned_stream blocking(cudaStreamDefault);
    const lockstep::owned_stream non_blocking(cudaStreamNonBlocking);
    lockstep::check(cudaSetDevice(0));
    const lockstep::owned_stream own(cudaStreamNonBlocking);
    const lockstep::owned_event copied(cudaEventDisableTiming);
    lockstep::check(cudaDeviceEnablePeerAccess(1, 0));

    // [experiment]
    const auto waited = [&](cudaStream_t busy, cudaStream_t copies) {
        lockstep::check(cudaSetDevice(1));
        lockstep::stream_latch latch;
        latch.hold(busy, 300'000'000);  // opens by itself, after about 0.15 s
        lockstep::check(cudaSetDevice(0));
        lockstep::check(
            cudaMemcpyPeerAsync(memory[0], 0, memory[1], 1, 1 << 20, copies));
        lockstep::check(cudaEventRecord(copied, copies));
        const auto begin = std::chrono::steady_clock::now();
        while (cudaEventQuery(copied) == cudaErrorNotReady &&
               std::chrono::steady_clock::now() - begin <
                   std::chrono::milliseconds(20)) {
        }
        const bool ended_early =
            cudaEventQuery(copied) == cudaSuccess && latch.closed();
        latch.open();
        for (const int device : {1, 0}) {
            lockstep::check(cudaSetDevice(device));
            lockstep::check(cudaDeviceSynchronize());
        }
        return !ended_early;
    };
    // [/experiment]
    const struct {
        const char* name;
        cudaStream_t stream;
    } busy[] = {{"default stream", nullptr},
                {"blocking stream", blocking},
                {"non-blocking stream", non_blocking}};
    std::printf("%-28s%-24s%s\n", "busy on the other GPU", "copy in NULL stream",
                "copy in own stream");
    bool own_is_free = true;
    for (const auto& [name, stream] : busy) {
        const bool null_waited = waited(stream, nullptr);
        const bool own_waited = waited(stream, own);
        std::printf("%-28s%-24s%s\n", name, null_waited ? "waited" : "did not wait",
                    own_waited ? "waited" : "did not wait");
        own_is_free = own_is_free && !own_waited;
    }
    for (int* one : memory) lockstep::check(cudaFree(one));
    return own_is_free ? EXIT_SUCCESS : EXIT_FAILURE;
}
