// How bulk copies begin.
#pragma once

#include "async_state.hpp"

namespace emulator {

// A copy that tells a barrier, or without one belongs to the thread's open group.
void begin_bulk(const copy_item& copy, void* barrier);
// The same in each block of a mask; 0: only here.
void begin_multicast(const async_copy& model, void* barrier, unsigned blocks);

}  // namespace emulator
