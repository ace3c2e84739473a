// Races in global memory: some of its words remember who used them in the launch under way.
#pragma once

#include <cstddef>

namespace emulator {

// Whether accesses to any of these bytes are looked at: of some words of each allocation, and of
// all of a small one (memory.hpp).
bool holds_watched(const void* p, size_t bytes);
// Faults if the access meets another thread's of the same launch that nothing orders.
void check_global(const void* p, size_t bytes, bool write, int place);
// The program orders accesses by itself from here on: by fences, ordered or locking atomic
// operations, or volatile memory. The launch under way is looked at no more.
void order_by_program();

}  // namespace emulator
