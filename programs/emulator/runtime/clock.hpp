// The device's clock, which runs on where somebody looks or all wait, and the host's.
#pragma once

#include "runtime.hpp"

namespace emulator {

uint64_t device_ticks();
void let_ticks_pass(uint64_t ticks);
uint64_t host_nanoseconds();

}  // namespace emulator
