// An event that only orders work needs no time stamp. Without one it is cheaper to
// record, and cudaEventElapsedTime refuses it.

#include <cstdlib>

#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [events]
    cudaEvent_t with_clock = nullptr;
    cudaEvent_t without = nullptr;
    lockstep::check(cudaEventCreate(&with_clock));
    lockstep::check(cudaEventCreateWithFlags(&without, cudaEventDisableTiming));
    // [/events]
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    constexpr int records = 1000;
    const auto cost_us = [&](cudaEvent_t event) {
        return lockstep::time_on_host([&] {
                   for (int i = 0; i < records; ++i)
                       lockstep::check(cudaEventRecord(event, stream));
                   lockstep::check(cudaStreamSynchronize(stream));
               }).median_ms *
               1e3 / records;
    };
    lockstep::report("event with timing", lockstep::measured{cost_us(with_clock)},
                     "us to record and pass");
    lockstep::report("event without timing", lockstep::measured{cost_us(without)},
                     "us");
    float ms = 0;
    const cudaError_t asked = cudaEventElapsedTime(&ms, with_clock, without);
    lockstep::report("elapsed time without timing", cudaGetErrorName(asked));
    lockstep::check(cudaEventDestroy(with_clock));
    lockstep::check(cudaEventDestroy(without));
    lockstep::check(cudaStreamDestroy(stream));
    return asked == cudaErrorInvalidResourceHandle ? EXIT_SUCCESS : EXIT_FAILURE;
}
