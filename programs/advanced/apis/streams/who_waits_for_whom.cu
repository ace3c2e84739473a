// Five calls wait for work, or ask whether it has ended, while a latch holds up another
// stream. Which of them wait for that stream, too? Only the one that waits for the
// whole device.

#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Does nothing.
__global__ void work() {}

int main() {
    lockstep::require_device();

    cudaStream_t mine = nullptr;
    cudaStream_t other = nullptr;
    cudaEvent_t done = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    lockstep::check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    lockstep::check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    lockstep::stream_latch latch;
    lockstep::load_kernels(work);

    // [work]
    latch.hold(other);  // held up; this part of the program does not use it
    work<<<1, 32, 0, mine>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(done, mine));
    // [/work]
    bool right = true;
    const auto shown = [&](const char* call, bool closed_expected) {
        lockstep::report(call, latch.closed() ? "returned, latch closed"
                                              : "returned after the latch opened");
        right = right && latch.closed() == closed_expected && !latch.gave_up();
    };
    // [waits]
    while (cudaStreamQuery(mine) == cudaErrorNotReady) {
    }
    shown("cudaStreamQuery, polled", true);
    while (cudaEventQuery(done) == cudaErrorNotReady) {
    }
    shown("cudaEventQuery, polled", true);
    lockstep::check(cudaStreamSynchronize(mine));
    shown("cudaStreamSynchronize", true);
    lockstep::check(cudaEventSynchronize(done));
    shown("cudaEventSynchronize", true);
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        latch.open();
    });
    lockstep::check(cudaDeviceSynchronize());
    shown("cudaDeviceSynchronize", false);
    // [/waits]
    later.join();
    lockstep::check(cudaEventDestroy(done));
    lockstep::check(cudaStreamDestroy(mine));
    lockstep::check(cudaStreamDestroy(other));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
