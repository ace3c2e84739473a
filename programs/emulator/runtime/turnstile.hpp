// Lets one thread of the host into the runtime at a time.
#pragma once

#ifdef __wasm__

namespace emulator {
struct turnstile {  // there is one thread only
    bool try_lock() { return true; }
    void unlock() {}
};
inline turnstile entrance;
struct entry_lock {};
inline void let_others_in() {}
inline bool other_host_threads() { return false; }
inline void wait_for_others() {}
}  // namespace emulator

#else

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace emulator {

// The thread that is inside may enter again, and may step aside for others.
class turnstile {
public:
    void lock();
    bool try_lock();
    void unlock();
    // Leaves, however often it has entered, and comes back when no thread is inside and `over`
    // holds, or after `most`. Of what others change, `over` may look at all that only who is inside
    // changes.
    void step_aside(std::chrono::milliseconds most, const std::function<bool()>& over);
    // Steps aside until another thread has been inside, if one waits; or, at most for a while,
    // anyway.
    void let_others_in();
    void wait_for_others();

private:
    bool is_inside() const { return depth_ > 0 && owner_ == std::this_thread::get_id(); }
    void take(unsigned depth);
    void step_aside_once(std::chrono::milliseconds most);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread::id owner_;
    unsigned depth_ = 0, waiting_ = 0;
    unsigned long turns_ = 0;
};

// Never destroyed: threads may still wait in it when the program ends.
extern turnstile& entrance;

struct entry_lock {
    std::lock_guard<turnstile> guard{entrance};
};
inline void let_others_in() { entrance.let_others_in(); }
inline void wait_for_others() { entrance.wait_for_others(); }
// Whether the program has threads besides this one, which may change memory without a call.
bool other_host_threads();
// A thread of the emulator's own: not one of those.
void begin_own_thread(void (*run)());

}  // namespace emulator

#endif
