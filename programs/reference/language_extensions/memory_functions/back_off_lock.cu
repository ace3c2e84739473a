// What does __nanosleep change about a lock that many blocks wait for? A waiting thread
// that sleeps between two attempts, each time twice as long, makes fewer attempts.
// The protected counter is right with and without it.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// The lock and what it protects.
struct counters {
    int lock;  ///< 1 while a thread holds it
    int protected_count;  ///< changed without atomics, by the holder
    unsigned long long attempts;  ///< to take the lock
};

// [lock]
/// One thread of each block takes the lock `times` times.
/// @tparam sleeps  whether a thread sleeps after an attempt that failed
/// @param times  how often
/// @param c      one element in device memory, all 0
template <bool sleeps>
__global__ void count_up(int times, counters* c) {
    unsigned long long attempts = 0;
    for (int i = 0; i < times; ++i) {
        unsigned ns = 8;
        while (++attempts, atomicCAS(&c->lock, 0, 1) != 0) {
            if (sleeps) __nanosleep(ns);
            if (ns < 256) ns *= 2;
        }
        __threadfence();  // what earlier holders wrote comes before what follows
        volatile int* count = &c->protected_count;  // stored each time
        *count = *count + 1;
        __threadfence();  // what this holder wrote comes before the lock is free
        atomicExch(&c->lock, 0);
    }
    atomicAdd(&c->attempts, attempts);
}
// [/lock]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 100, 1, 1000);
    const int times = options.integer("times", 100, 1, 10000);
    options.finish();
    lockstep::require_device(70);

    lockstep::device_buffer<counters> d_counters(1);
    const auto run = [&](auto kernel) {
        d_counters.fill_bytes(0);
        kernel<<<blocks, 1>>>(times, d_counters.data());
        lockstep::check(cudaGetLastError());
        return d_counters.to_host()[0];
    };
    run(count_up<true>);  // warms up
    const counters spinning = run(count_up<false>), sleeping = run(count_up<true>);
    lockstep::report("times taken", blocks * times);
    lockstep::report("counted without sleep", spinning.protected_count);
    lockstep::report("counted with sleep", sleeping.protected_count);
    lockstep::report("attempts without sleep",
                     lockstep::counted{static_cast<long long>(spinning.attempts)});
    lockstep::report("attempts with sleep",
                     lockstep::counted{static_cast<long long>(sleeping.attempts)});
    return spinning.protected_count == blocks * times &&
                   sleeping.protected_count == blocks * times
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
