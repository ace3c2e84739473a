// Races in shared memory: what each word remembers of those who used it.
#pragma once

#include <string>

#include "blocks.hpp"

namespace emulator {

// Whether an access by `other` with these epochs, in this step of its own, may happen at the same
// time as one by `me` now; both are threads of the block.
bool at_once(const thread_block& block, int me, int other, uint32_t epoch, uint32_t warp_epoch,
             uint32_t step);
// A write by the thread that runs, to where another one wrote at the same time: if the value turns
// out to differ when it goes on, calls `differs`.
void remember_write(const void* p, int size, int number, const race_partner& other,
                    void (*differs)(int place, const race_partner& other));
void settle_write();
inline void settle() {
    if (__emu_pending_write.to) settle_write();
}
// Faults if the access meets another thread's with no barrier between.
void check_shared(const void* p, int size, bool write, int place);
// What is wrong if a copy of the asynchronous proxy, which reads or writes here, may come before
// what a thread has written; else empty.
std::string unfenced_write(const void* p, int size, bool write);
// A copy has written here: for a thread, or with a barrier's number and phase.
void note_copied(thread_block& block, const void* p, int size, int writer, uint32_t step,
                 int number);
void note_atomic(void* place, int size, bool ordered, const char* file, int line);

}  // namespace emulator
