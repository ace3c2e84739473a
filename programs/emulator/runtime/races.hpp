// Races in shared memory: what each word remembers of those who used it.
#pragma once

#include "blocks.hpp"

namespace emulator {

void settle_write();
inline void settle() {
    if (__emu_pending_write.to) settle_write();
}
// Faults if the access meets another thread's with no barrier between.
void check_shared(const void* p, int size, bool write, int place);
void note_atomic(void* place, int size, bool ordered, const char* file, int line);

}  // namespace emulator
