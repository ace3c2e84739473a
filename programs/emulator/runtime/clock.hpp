// The device's clock, which runs on where a thread reads it or all threads wait, and the host's.
#pragma once

#include "runtime.hpp"

namespace emulator {

uint64_t device_ticks();
void let_ticks_pass(uint64_t ticks);
uint64_t host_nanoseconds();

}  // namespace emulator
