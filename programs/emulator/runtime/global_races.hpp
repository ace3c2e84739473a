// Races in global memory: some of its words remember who used them in the launch under way.
#pragma once

#include <cstddef>

namespace emulator {

// Faults if the access meets another thread's of the same launch that nothing orders. Looks at some
// words of each allocation, and at all of a small one (memory.cpp).
void check_global(const void* p, size_t bytes, bool write, int place);
// The same for an atomic operation, which meets the host's accesses only.
void check_global_atomic(const void* p, size_t bytes, bool write, const char* file, int line);
// The program orders accesses by itself from here on: by fences, ordered or locking atomic
// operations, or volatile memory. The launch under way is looked at no more.
void order_by_program();

}  // namespace emulator
