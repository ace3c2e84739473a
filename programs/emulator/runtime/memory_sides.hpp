// What the host may do with an address.
#pragma once

#include "memory.hpp"

namespace emulator {

// Where an address lies.
enum class memory_side { pageable, pinned, managed, device, bad };

memory_allocation* host_allocation(const void* p);
memory_side side_of(const void* p);
bool fits(const void* p, size_t bytes);  // whether a range lies within its allocation
bool writable(const void* p, size_t bytes);  // of what fits, too

}  // namespace emulator
