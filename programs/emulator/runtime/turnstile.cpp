#include "turnstile.hpp"

#ifndef __wasm__

#include <atomic>
#include <filesystem>
#include <iterator>

namespace emulator {

turnstile& entrance = *new turnstile;

static std::atomic<int> own_threads;
static thread_local bool is_own;

void begin_own_thread(void (*run)()) {
    ++own_threads;
    std::thread([run] {
        is_own = true;
        run();
    }).detach();
}

bool other_host_threads() {
    using clock = std::chrono::steady_clock;
    static clock::time_point counted;  // asked where a thread waits, often
    static std::ptrdiff_t threads;
    if (const clock::time_point now = clock::now(); now - counted > std::chrono::milliseconds(1)) {
        std::error_code error;
        const std::filesystem::directory_iterator tasks("/proc/self/task", error);
        threads = error ? 0 : std::distance(begin(tasks), end(tasks));
        counted = now;
    }
    return threads > own_threads + (is_own ? 0 : 1);
}

void turnstile::take(unsigned depth) {
    owner_ = std::this_thread::get_id();
    depth_ = depth;
    ++turns_;
}

void turnstile::lock() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (is_inside()) {
        ++depth_;
        return;
    }
    ++waiting_;
    changed_.wait(guard, [this] { return depth_ == 0; });
    --waiting_;
    take(1);
}

bool turnstile::try_lock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (is_inside()) {
        ++depth_;
        return true;
    }
    if (depth_ > 0) return false;
    take(1);
    return true;
}

void turnstile::unlock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (--depth_ == 0) changed_.notify_all();
}

void turnstile::step_aside(std::chrono::milliseconds most, const std::function<bool()>& over) {
    std::unique_lock<std::mutex> guard(mutex_);
    const unsigned depth = depth_;
    depth_ = 0;
    changed_.notify_all();
    changed_.wait_for(guard, most, [&] { return depth_ == 0 && over(); });
    changed_.wait(guard, [this] { return depth_ == 0; });
    take(depth);
}

void turnstile::step_aside_once(std::chrono::milliseconds most) {
    step_aside(most, [this, before = turns_] { return turns_ != before; });
}

void turnstile::let_others_in() {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (waiting_ == 0) return;
    }
    step_aside_once(std::chrono::milliseconds(5));  // it comes in at once, if nothing interrupts it
}

void turnstile::wait_for_others() {
    if (other_host_threads()) step_aside_once(std::chrono::milliseconds(1));
}

}  // namespace emulator

#endif
