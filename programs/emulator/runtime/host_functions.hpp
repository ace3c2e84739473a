// Functions of the host that stand in streams and graphs.
#pragma once

#include <functional>

namespace emulator {

bool in_host_function();  // this thread: its calls are refused
void run_host_function(const std::function<void()>& act);

// Begins `act`, on a thread of its own where there are threads, and calls `then` when it has ended.
// Waits for that, but not longer than a function takes that waits for nothing: another thread of
// the host, or work of another stream, may have to come first.
void begin_host_work(std::function<void()> act, std::function<void()> then);
// Whether some has begun and not ended.
bool host_work_goes_on();
// Waits for it, a little.
void await_host_work();

}  // namespace emulator
