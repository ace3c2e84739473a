// The order in which threads, blocks and streams come, chosen by a seed.
#pragma once

#include "runtime.hpp"

namespace emulator {

extern uint64_t seed;  // 0: threads, blocks and streams in their order
uint32_t random_below(uint32_t bound);

}  // namespace emulator
