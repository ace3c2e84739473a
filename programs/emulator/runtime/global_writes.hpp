// Writes of threads to global memory, which asynchronous copies of the same kernel may read only
// after a proxy fence, and tensor maps there, which want a fence of their own.
#pragma once

#include <string>

#include "runtime.hpp"

namespace emulator {

// Only in programs that begin such copies: others need not pay for it.
inline bool writes_are_noted() { return abi::__emu_writes_noted != 0; }
void note_written(const void* p, size_t bytes, int place);  // by the running thread
void forget_written(const void* p, size_t bytes);  // an asynchronous copy has written there
void forget_all_written();  // no kernel runs any more
void note_global_fence();   // of the running thread
// Faults if a copy of the running thread may not see what was written here.
void check_written(const void* p, size_t bytes, const std::string& place);

void note_map_published(const void* map);  // and released
void note_map_released();  // whichever the running thread has written
void note_map_acquired(const void* map);
// Faults if the running thread's block may not see how the tensor map is now.
void check_map_acquired(const void* map, const std::string& place);

}  // namespace emulator
