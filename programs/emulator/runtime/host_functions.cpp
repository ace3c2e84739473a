#include "host_functions.hpp"

#include <utility>

#include "turnstile.hpp"

#ifndef __wasm__
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#endif

namespace emulator {

static thread_local bool runs_here;

bool in_host_function() { return runs_here; }

void run_host_function(const std::function<void()>& act) {
    runs_here = true;
    act();
    runs_here = false;
}

#ifdef __wasm__

void begin_host_work(std::function<void()> act, std::function<void()> then) {
    act();
    then();
}
bool host_work_goes_on() { return false; }
void await_host_work() {}

#else

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds patience{100};
// After so long, of which a thread has used less than a tenth, it waits for what will not come.
constexpr std::chrono::seconds longest_wait{10};

struct host_work {
    std::function<void()> act, then;
};

std::deque<host_work>& waiting_work =
    *new std::deque<host_work>;  // the first has begun; entered threads alone change it
std::condition_variable_any& came = *new std::condition_variable_any;
unsigned long ended;     // how many have
clock::time_point began;  // the first
double used_before;       // seconds of processor time, when it began
clockid_t worker_clock;

double seconds_used() {
    timespec time{};
    clock_gettime(worker_clock, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// As on a GPU's host, one thread runs all of them.
void work() {
    entry_lock inside;
    pthread_getcpuclockid(pthread_self(), &worker_clock);
    for (;;) {
        came.wait(entrance, [] { return !waiting_work.empty(); });
        began = clock::now();
        used_before = seconds_used();
        const std::function<void()> act = std::move(waiting_work.front().act);
        entrance.unlock();
        act();
        entrance.lock();
        waiting_work.front().then();
        waiting_work.pop_front();
        ++ended;
    }
}

void refuse_to_wait_for_ever() {
    const auto waited = clock::now() - began;
    if (waiting_work.size() < 2 || waited < longest_wait) return;
    if (seconds_used() - used_before > 0.1 * std::chrono::duration<double>(waited).count()) return;
    fflush(stdout);
    fprintf(stderr,
            "emulator: a host function has waited for 10 s, and another one has not begun: the "
            "runtime may run them one after another, so none may wait for another\n");
    _Exit(EXIT_FAILURE);
}

}  // namespace

void begin_host_work(std::function<void()> act, std::function<void()> then) {
    static const bool started = (begin_own_thread(work), true);
    (void)started;
    const unsigned long before = ended + waiting_work.size();
    waiting_work.push_back({std::move(act), std::move(then)});
    came.notify_all();
    entrance.step_aside(patience, [=] { return ended > before; });
}

bool host_work_goes_on() { return !waiting_work.empty(); }

void await_host_work() {
    const unsigned long before = ended;
    entrance.step_aside(patience / 10, [=] { return ended != before; });
    if (host_work_goes_on()) refuse_to_wait_for_ever();
}

#endif

}  // namespace emulator
