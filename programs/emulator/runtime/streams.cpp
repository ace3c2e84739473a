// The queue of work: what may go on, in which order it does, and when the host waits.

#include "streams.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <utility>

#include "clock.hpp"
#include "host_functions.hpp"
#include "kernels.hpp"
#include "random.hpp"
#include "running_launch.hpp"
#include "turnstile.hpp"

namespace emulator {

cudaError_t sticky;
work_item running_work;
uint64_t host_uses_before;

namespace {

std::list<work_item> pending;  // in the order of their coming
std::vector<std::function<void()>> asked_for;  // by the kernel that runs
uint64_t works;        // that streams were ever asked for
constexpr int passes_of_a_while = 64, whiles_at_the_end = 4096;
constexpr uint64_t ticks_of_a_while = 20000, first_leap = 512, longest_leap = 1 << 26;
constexpr uint64_t longest_leap_among_others = 1 << 19;  // of the host's threads

// What is left when the program ends is carried out to tell whether the host has used its memory.
void look_at_what_is_left(int status) {
    if (pending.empty() || !host_uses_noted() || !entrance.try_lock()) return;
    for (int i = 0; i < whiles_at_the_end && !pending.empty() && !sticky; ++i) work_for_a_while();
    if (sticky == cudaSuccess) return;
    fflush(nullptr);
    _Exit(status ? status : EXIT_FAILURE);
}

void look_at_the_end() {
#ifdef __wasm__
    [[maybe_unused]] static const int asked = atexit([] { look_at_what_is_left(0); });
#else
    [[maybe_unused]] static const int asked =
        on_exit([](int s, void*) { look_at_what_is_left(s); }, nullptr);
#endif
}

// A kernel and all that it may have overtaken.
bool is_over(const work_item& work) {
    return work->done && (!work->primary || is_over(work->primary));
}

bool ready(const stream_operation& operation) {
    const work_item& primary = operation.primary;
    if (primary && !is_over(primary) &&
        !(primary->ended ||
          (primary->execution && (operation.at_begin ? primary->execution->has_begun()
                                                     : primary->execution->triggered()))))
        return false;
    return std::all_of(operation.after.begin(), operation.after.end(),
                       [](const work_item& work) { return work->done; });
}

void follow(stream_operation& operation, const work_item& work) {
    if (work && !work->done) operation.after.push_back(work);
}

void follow_whole(stream_operation& operation, const work_item& work) {
    for (work_item before = work; before; before = before->primary) follow(operation, before);
}

work_item put(device_stream& stream, work_item work) {
    look_at_the_end();
    work->priority = stream.priority;
    const bool overtakes = work->launch && work->launch->early && stream.last &&
                           stream.last->kernel && !stream.last->done;
    if (overtakes) {
        work->primary = stream.last;
        work->launch->before_is_over = [before = stream.last] { return is_over(before); };
    } else if (!work->primary) {
        follow_whole(*work, stream.last);
    }
    if (&stream == &legacy_stream) {
        for_each_blocking_stream([&](device_stream& other) {
            follow(*work, other.last);
            merge(stream.clock, other.clock);
        });
        for (const work_item& other : left_over) follow(*work, other);
        left_over.clear();
    } else if (stream.blocking) {
        follow(*work, legacy_stream.last);
        merge(stream.clock, legacy_stream.clock);
    }
    stream.clock[stream.number] = ++works;
    stream.last = work;
    pending.push_back(work);
    work_is_pending = true;
    return work;
}

void end(const work_item& work, cudaError_t error) {
    if (error != cudaSuccess && sticky == cudaSuccess) sticky = error;
    work->done = work->ended = true;
    work->after.clear();
    work->children.clear();
    work->tails.clear();
    work->act = nullptr;  // and what it kept
    if (work->primary && is_over(work->primary)) work->primary = nullptr;
    pending.remove(work);
    if (!pending.empty()) return;
    work_is_pending = false;
    forget_host_uses();
}

// The blocks of a cooperative kernel begin together, or not yet. What kernels launch has to wait
// while as many threads live as there is room for.
bool has_room(const kernel_launch& launch) {
    if (!launch.cooperative && !launch.by_kernel) return true;
    double taken = share_of(launch);
    size_t threads = volume(launch.block);
    for (const work_item& work : pending) {
        if (!work->execution) continue;
        taken += share_of(work->execution->launch_);
        threads += work->execution->living_threads();
    }
    return launch.cooperative ? taken <= 1 : threads <= running_launch::room_for_children();
}

enum class step_result { none, some, only_waiting };

// Does one thing: begins or goes on with a kernel, or carries out an operation. With a seed the
// choice is random.
step_result step() {
    if (sticky != cudaSuccess) {  // nothing runs any more
        while (!pending.empty()) {
            const work_item work = pending.front();
            if (work->execution) finish_launch(work->execution);
            work->execution = nullptr;
            if (work->even_after_errors && !work->begun) work->act();
            end(work, sticky);
        }
        return step_result::none;
    }
    std::vector<work_item> able;
    for (const work_item& work : pending)
        if (ready(*work)) able.push_back(work);
    if (able.empty()) return step_result::none;
    if (seed)
        std::rotate(able.begin(), able.begin() + random_below(uint32_t(able.size())), able.end());
    std::stable_sort(able.begin(), able.end(), [](const work_item& a, const work_item& b) {
        return a->priority < b->priority;
    });
    for (const work_item& work : able) {
        host_uses_before = work->host_uses;
        if (work->on_host) {
            if (std::exchange(work->begun, true)) continue;
            const auto over = [work] {
                forget_host_uses();  // the function may have waited for the host
                end(work, cudaSuccess);
            };
            begin_host_work([act = work->act] { act(); }, over);
            return step_result::some;
        }
        if (!work->launch) {
            end(work, work->act());
            return step_result::some;
        }
        if (!work->execution && !has_room(*work->launch)) continue;
        if (!work->execution) work->execution = begin_launch(std::move(*work->launch));
        running_work = work;
        const launch_progress progress = advance(*work->execution);
        running_work = nullptr;
        for (size_t i = 0; i < asked_for.size(); ++i) asked_for[i]();
        asked_for.clear();
        if (progress == launch_progress::done) {
            running_launch* execution = work->execution;
            work->execution = nullptr;
            const cudaError_t error = finish_launch(execution);
            if (error != cudaSuccess || !wait_for_children(work)) end(work, error);
        }
        if (progress != launch_progress::waiting) return step_result::some;
    }
    return step_result::only_waiting;
}

}  // namespace

void host_saw_all() {
    stream_clock all;
    for (unsigned stream = 0; stream < stream_numbers_given(); ++stream) all[stream] = works;
    host_saw(all);
}

work_item enqueue(device_stream& stream, std::function<cudaError_t()> act) {
    auto work = std::make_shared<stream_operation>();
    work->act = std::move(act);
    return put(stream, work);
}

work_item enqueue(device_stream& stream, kernel_launch launch) {
    auto work = std::make_shared<stream_operation>();
    work->kernel = true;
    work->launch = std::make_unique<kernel_launch>(std::move(launch));
    return put(stream, work);
}

work_item enqueue_after(device_stream& stream, std::function<cudaError_t()> act,
                        const std::vector<work_item>& after) {
    auto work = std::make_shared<stream_operation>();
    work->act = std::move(act);
    for (const work_item& other : after) follow_whole(*work, other);
    return put(stream, work);
}

work_item enqueue_early(device_stream& stream, std::function<cudaError_t()> act, bool at_begin) {
    auto work = std::make_shared<stream_operation>();
    work->act = std::move(act);
    work->at_begin = at_begin;
    if (stream.last && stream.last->kernel && !stream.last->done) work->primary = stream.last;
    return put(stream, work);
}

static work_item put_apart(work_item work, const std::vector<work_item>& after, int priority) {
    for (const work_item& other : after) follow_whole(*work, other);
    work->priority = priority;
    pending.push_back(work);
    work_is_pending = true;
    return work;
}

work_item put_apart(std::function<cudaError_t()> act, const std::vector<work_item>& after,
                    int priority) {
    auto work = std::make_shared<stream_operation>();
    work->act = std::move(act);
    return put_apart(std::move(work), after, priority);
}

work_item put_apart(kernel_launch launch, const std::vector<work_item>& after, int priority,
                    const work_item& primary) {
    auto work = std::make_shared<stream_operation>();
    work->kernel = true;
    work->launch = std::make_unique<kernel_launch>(std::move(launch));
    if (primary && primary->kernel) {
        work->primary = primary;
        work->launch->before_is_over = [primary] { return is_over(primary); };
    } else if (primary) {
        follow(*work, primary);
    }
    return put_apart(std::move(work), after, priority);
}

void soon(std::function<void()> act) { asked_for.push_back(std::move(act)); }

void wait_in_stream(device_stream& stream, const work_item& other) {
    if (!other || other->done) return;
    auto work = std::make_shared<stream_operation>();
    work->act = [] { return cudaSuccess; };
    follow(*work, other);
    put(stream, work);
}

void finish(work_item work) {
    uint64_t leap = first_leap;  // of the clock, while all that is left waits: for it, or for ever
    while (work ? !work->done : !pending.empty()) {
        const step_result done = step();
        if (done == step_result::none) break;
        if (done == step_result::only_waiting) {
            const bool among_others = other_host_threads() || host_work_goes_on();
            leap = std::min(leap * 2, among_others ? longest_leap_among_others : longest_leap);
            host_work_goes_on() ? await_host_work() : wait_for_others();
            let_ticks_pass(leap);
        } else {
            leap = first_leap;
        }
        let_others_in();  // it may be for one of them that the work waits
    }
}

void work_for_a_while() {
    for (int i = 0; i < passes_of_a_while; ++i)
        if (step() != step_result::some) break;
    let_ticks_pass(ticks_of_a_while);
}

void forget_work() {
    while (!pending.empty()) {
        const work_item work = pending.front();
        if (work->execution) finish_launch(work->execution);
        work->execution = nullptr;
        end(work, cudaSuccess);
    }
    left_over.clear();
    legacy_stream = {.blocking = true};
    sticky = cudaSuccess;
}

}  // namespace emulator
