// What do the counter, a token and the two parities say after each arrival? One thread
// makes all three arrivals of each phase, so that the log has one order only.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int count = 3;   // arrivals that a phase expects
constexpr int phases = 4;

/// What a thread can learn about the barrier after an arrival.
struct entry {
    /// Arrivals still missing before this one; -1 if the token has no count.
    int pending;
    bool token;  ///< whether a wait for this arrival's token would pass
    bool even;   ///< whether a wait for parity 0 would pass
    bool odd;    ///< whether a wait for parity 1 would pass
};

// [kernel]
/// Arrives again and again at one barrier, and notes its state after each arrival.
/// @param log  1 + phases * count entries in device memory, written; one thread
__global__ void arrive_alone(entry* log) {
    __shared__ __mbarrier_t barrier;
    __mbarrier_init(&barrier, count);
    *log++ = {count, false, ptx::mbarrier_test_wait_parity(&barrier, 0),
              ptx::mbarrier_test_wait_parity(&barrier, 1)};
    for (int phase = 0; phase < phases; ++phase)
        for (int arrival = 1; arrival <= count; ++arrival) {
            __mbarrier_token_t token = 0;
            int pending = -1;
            if (arrival < count) {  // its token tells how many were missing
                token = ptx::mbarrier_arrive_no_complete(&barrier, 1);
                pending = static_cast<int>(__mbarrier_token_pending_count(token));
            } else {
                token = ptx::mbarrier_arrive(&barrier);
            }
            *log++ = {pending, ptx::mbarrier_test_wait(&barrier, token),
                      ptx::mbarrier_test_wait_parity(&barrier, 0),
                      ptx::mbarrier_test_wait_parity(&barrier, 1)};
        }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    lockstep::device_buffer<entry> d_log(1 + phases * count);
    d_log.fill_bytes(0xFF);
    arrive_alone<<<1, 1>>>(d_log.data());
    lockstep::check(cudaGetLastError());
    const std::vector<entry> log = d_log.to_host();

    const auto says = [](bool passes) { return passes ? "passes" : "blocks"; };
    lockstep::csv_file series(csv, "entry,phase,arrival,token,even,odd");
    bool right = true;
    std::printf("a wait for           the token   parity 0   parity 1\n");
    for (int i = 0; i <= phases * count; ++i) {
        const int phase = (i - 1) / count, arrival = i == 0 ? 0 : (i - 1) % count + 1;
        const bool complete = arrival == count;
        const int done = i / count;  // phases completed so far
        right = right && log[i].token == complete && log[i].even == (done % 2 == 1) &&
                log[i].odd == (done % 2 == 0);
        if (i == 0)
            std::printf("after init           %9s%11s%11s\n", "-", says(log[i].even),
                        says(log[i].odd));
        else
            std::printf("phase %d, arrival %d   %9s%11s%11s\n", phase, arrival,
                        says(log[i].token), says(log[i].even), says(log[i].odd));
        series.row("%d,%d,%d,%d,%d,%d", i, phase, arrival, log[i].token, log[i].even,
                   log[i].odd);
    }
    series.finish();
    lockstep::report("missing before arrival 1", log[1].pending);
    lockstep::report("missing before arrival 2", log[2].pending);
    for (int phase = 0; phase < phases; ++phase)
        right = right && log[1 + phase * count].pending == log[1].pending &&
                log[2 + phase * count].pending == log[2].pending;
    lockstep::report("as the rules say", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
