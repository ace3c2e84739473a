#include "clock.hpp"

#include <chrono>

namespace emulator {

static uint64_t ticks = 1000;

uint64_t device_ticks() { return ticks; }
void let_ticks_pass(uint64_t more) { ticks += more; }

uint64_t host_nanoseconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace emulator
