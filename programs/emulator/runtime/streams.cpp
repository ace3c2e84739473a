// The queue of work: what may go on, in which order it does, and when the host waits.

#include "streams.hpp"

#include <algorithm>
#include <list>

namespace emulator {

cudaError_t sticky;

namespace {

std::list<Work> pending;  // in the order of their coming
std::vector<std::unique_ptr<Stream>> streams;
std::vector<Work> left_over;  // of streams that are no more: the legacy default stream waits for it
Stream legacy{.blocking = true}, per_thread{.blocking = true};
constexpr int passes_of_a_while = 64;
constexpr uint64_t ticks_of_a_while = 20000;
constexpr uint64_t first_leap = 512, longest_leap = 1 << 26;

bool ready(const Operation& operation) {
    return std::all_of(operation.after.begin(), operation.after.end(), [](const Work& work) { return work->done; });
}

void follow(Operation& operation, const Work& work) {
    if (work && !work->done) operation.after.push_back(work);
}

Work put(Stream& stream, Work work) {
    if (stream.capture) {
        stream.capture->operations.push_back({std::move(work->act), std::move(work->launch)});
        ++stream.asked;
        work->done = true;
        return work;
    }
    work->priority = stream.priority;
    follow(*work, stream.last);
    if (&stream == &legacy) {
        follow(*work, per_thread.last);
        for (auto& other : streams)
            if (other->blocking) follow(*work, other->last);
        for (const Work& other : left_over) follow(*work, other);
        left_over.clear();
    } else if (stream.blocking) {
        follow(*work, legacy.last);
    }
    stream.last = work;
    pending.push_back(work);
    return work;
}

void end(const Work& work, cudaError_t error) {
    if (error != cudaSuccess && sticky == cudaSuccess) sticky = error;
    work->done = true;
    work->after.clear();
    pending.remove(work);
}

enum class Step { none, some, only_waiting };

// Does one thing: begins or goes on with a kernel, or carries out an operation. With a seed the choice is random.
Step step() {
    if (sticky != cudaSuccess) {  // nothing runs any more
        while (!pending.empty()) {
            const Work work = pending.front();
            if (work->execution) finish_execution(work->execution);
            work->execution = nullptr;
            end(work, sticky);
        }
        return Step::none;
    }
    std::vector<Work> able;
    for (const Work& work : pending)
        if (ready(*work)) able.push_back(work);
    if (able.empty()) return Step::none;
    if (seed) std::rotate(able.begin(), able.begin() + random_below(uint32_t(able.size())), able.end());
    std::stable_sort(able.begin(), able.end(), [](const Work& a, const Work& b) { return a->priority < b->priority; });
    for (const Work& work : able) {
        if (!work->launch) {
            end(work, work->act());
            return Step::some;
        }
        if (!work->execution) work->execution = begin_execution(std::move(*work->launch));
        const Progress progress = advance(*work->execution);
        if (progress == Progress::done) {
            Execution* execution = work->execution;
            work->execution = nullptr;
            end(work, finish_execution(execution));
        }
        if (progress != Progress::waiting) return Step::some;
    }
    return Step::only_waiting;
}

}  // namespace

Stream* stream_of(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &legacy;
    if (handle == cudaStreamPerThread) return &per_thread;
    for (auto& stream : streams)
        if (stream.get() == reinterpret_cast<Stream*>(handle)) return stream.get();
    return nullptr;
}

Stream* new_stream(bool blocking, int priority) {
    streams.push_back(std::make_unique<Stream>());
    streams.back()->blocking = blocking;
    streams.back()->priority = priority;
    streams.back()->flags = blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    return streams.back().get();
}

bool forget_stream(Stream* stream) {
    const auto found = std::find_if(streams.begin(), streams.end(), [=](auto& s) { return s.get() == stream; });
    if (found == streams.end()) return false;
    if (stream->blocking && stream->busy()) left_over.push_back(stream->last);
    streams.erase(found);
    return true;
}

bool lose_captures(bool (*such)(const Stream& captured)) {
    bool lost = false;
    const auto look_at = [&](Stream& stream) {
        if (stream.capture && such(stream)) lost = stream.capture->lost = true;
    };
    for (auto& stream : streams) look_at(*stream);
    look_at(per_thread);
    return lost;
}

Work enqueue(Stream& stream, std::function<cudaError_t()> act) {
    auto work = std::make_shared<Operation>();
    work->act = std::move(act);
    return put(stream, work);
}

Work enqueue(Stream& stream, Launch launch) {
    auto work = std::make_shared<Operation>();
    work->launch = std::make_unique<Launch>(std::move(launch));
    return put(stream, work);
}

void wait_in_stream(Stream& stream, const Work& other) {
    if (!other || other->done) return;
    auto work = std::make_shared<Operation>();
    work->act = [] { return cudaSuccess; };
    follow(*work, other);
    put(stream, work);
}

void finish(const Work& work) {
    uint64_t leap = first_leap;  // of the clock, while all that is left waits: for the clock, or for ever
    while (work ? !work->done : !pending.empty()) {
        const Step done = step();
        if (done == Step::none) break;
        leap = done == Step::some ? first_leap : std::min(leap * 2, longest_leap);
        if (done == Step::only_waiting) let_ticks_pass(leap);
    }
}

void work_for_a_while() {
    for (int i = 0; i < passes_of_a_while; ++i)
        if (step() != Step::some) break;
    let_ticks_pass(ticks_of_a_while);
}

void forget_work() {
    while (!pending.empty()) {
        const Work work = pending.front();
        if (work->execution) finish_execution(work->execution);
        work->execution = nullptr;
        end(work, cudaSuccess);
    }
    streams.clear();
    sticky = cudaSuccess;
}

}  // namespace emulator
