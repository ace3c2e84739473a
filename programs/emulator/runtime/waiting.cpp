#include "waiting.hpp"

#include "fiber.hpp"
#include "races.hpp"

namespace emulator {

constexpr unsigned spins_before_yield = 32;

void wait_as(thread_state state, const char* file, int line, int site) {
    device_thread& thread = self();
    settle();
    thread.state = state;
    thread.file = file;
    thread.line = line;
    thread.site = site;
    thread.spins = 0;
    yield_fiber();
}

void spin() {
    device_thread& thread = self();
    if (++thread.spins % spins_before_yield != 0 || !current_launch->kernel->yields) return;
    settle();
    thread.state = spinning;
    yield_fiber();
}

}  // namespace emulator
