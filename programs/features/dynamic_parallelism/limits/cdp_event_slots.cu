// How many events may a kernel create, or record, before one is refused, and with which
// error? Twice as many as launches may be pending: one thread goes on until a call is
// refused. A child that waits for the thread holds the stream, so nothing recorded can
// complete.

#include <cstddef>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// What the thread does with each event.
enum act { create, record, rerecord, destroy };

/// What became of it.
struct tally {
    int accepted;  ///< rounds in which no call was refused
    int error;  ///< of the call that was refused, or cudaSuccess
    bool at_record;  ///< whether it was the record
    int hold_error;  ///< of the launch of the child
    int ended;  ///< raised by the parent when it has ended its rounds
};

constexpr unsigned long long patience_ns = 5'000'000'000;

// [kernels]
/// Runs until the parent has ended its rounds, or its patience ends; one thread.
/// @param t  in device memory
__global__ void hold(volatile tally* t) {
    const unsigned long long begin = lockstep::now_ns();
    while (!t->ended && lockstep::now_ns() - begin < patience_ns) {
    }
}

/// Creates an event in each round, and perhaps records it; one thread.
/// @param what    what to do with it: create it, record it as well, record the first
///                event only, or destroy it at once
/// @param rounds  how many at most
/// @param t       in device memory, written
__global__ void parent(act what, int rounds, tally* t) {
    const unsigned long long begin = lockstep::now_ns();
    hold<<<1, 1>>>(t);
    t->hold_error = cudaGetLastError();
    cudaEvent_t event = nullptr;
    cudaError_t error = cudaSuccess;
    while (t->accepted < rounds && lockstep::now_ns() - begin < patience_ns) {
        if (what != rerecord || t->accepted == 0)
            error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        if (error != cudaSuccess) break;
        if (what == record || what == rerecord) error = cudaEventRecord(event, nullptr);
        t->at_record = error != cudaSuccess;
        if (what == destroy) error = cudaEventDestroy(event);
        if (error != cudaSuccess) break;
        ++t->accepted;
    }
    t->error = error;
    *static_cast<volatile int*>(&t->ended) = 1;
}
// [/kernels]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int what = options.choice("act", {"create", "record", "rerecord", "destroy"});
    const auto limit = options.integer<std::size_t>("limit", 0, 0, 1 << 16);
    const int rounds = options.integer("rounds", 20'000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    // [limit]
    if (limit > 0)
        lockstep::check(
            cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
    std::size_t slots = 0;
    lockstep::check(cudaDeviceGetLimit(&slots, cudaLimitDevRuntimePendingLaunchCount));
    // [/limit]
    lockstep::device_buffer<tally> d_tally(1);
    d_tally.fill_bytes(0);
    parent<<<1, 1>>>(static_cast<act>(what), rounds, d_tally.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const tally found = d_tally.to_host()[0];

    const auto name = [](int error) {
        return cudaGetErrorName(static_cast<cudaError_t>(error));
    };
    const char* calls[] = {"create", "record", "destroy"};
    const int refused_call = found.at_record ? 1 : what == destroy ? 2 : 0;
    lockstep::report("limit of pending launches", slots);
    lockstep::report("launch of the child", name(found.hold_error));
    lockstep::report("rounds at most", rounds);
    const char* accepted[] = {"events created", "events recorded", "records accepted",
                              "events destroyed"};
    lockstep::report(accepted[what], lockstep::counted{found.accepted});
    lockstep::report("refused call", found.error ? calls[refused_call] : "none");
    lockstep::report("its error", name(found.error));
    const bool right = found.accepted > 0 && found.hold_error == cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
