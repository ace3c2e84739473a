// The addresses of the device's memory: one range, with a byte of state for each byte.
#pragma once

#include <cstring>

#include "runtime.hpp"

namespace emulator {

extern "C" {  // what the quick checks look at that the rewriter makes
extern uintptr_t __emu_arena_begin, __emu_arena_end;
extern unsigned char* __emu_arena_shadow;
extern uintptr_t __emu_shared_low,
    __emu_shared_high;  // the shared memory of all living blocks lies between them
}
inline bool in_arena(const void* p) {
    return uintptr_t(p) - __emu_arena_begin < __emu_arena_end - __emu_arena_begin;
}
inline unsigned char* shadow_of(const void* p) {
    return __emu_arena_shadow + (uintptr_t(p) - __emu_arena_begin);
}

// Natively, programs may reserve addresses after those of all other memory. A mapping that may only
// be read shows its states there in a second shadow alone, so that each write is looked at closely.
extern uintptr_t ranges_begin;
extern unsigned char* ranges_to_read;  // the state of the first of them, for who reads; or null
inline unsigned char* states_to_read(const void* p) {
    const uintptr_t offset = uintptr_t(p) - ranges_begin;
    return ranges_to_read && offset < __emu_arena_end - ranges_begin ? ranges_to_read + offset
                                                                     : shadow_of(p);
}

// States of some bytes, which stay watched if they are.
inline void set_states(unsigned char* states, size_t bytes, unsigned char state) {
    constexpr uint64_t every = 0x0101010101010101U;
    size_t i = 0;
    for (uint64_t some; i + sizeof some <= bytes; i += sizeof some) {  // eight at a time
        memcpy(&some, states + i, sizeof some);
        some = (some & every * abi::shadow_watched) | every * state;
        memcpy(states + i, &some, sizeof some);
    }
    for (; i < bytes; ++i) states[i] = state | (states[i] & abi::shadow_watched);
}
inline unsigned char state_of(unsigned char byte) { return byte & ~abi::shadow_watched; }
inline bool any_is(const unsigned char* states, size_t bytes, unsigned char state) {
    for (size_t i = 0; i < bytes; ++i)
        if (state_of(states[i]) == state) return true;
    return false;
}

void open_arena();    // before any use
size_t arena_size();  // bytes of memory, without what programs reserve
uintptr_t take_hole(size_t bytes);  // 0 if there is none
void give_hole(uintptr_t begin, size_t bytes);
#ifndef __wasm__
uintptr_t ranges_end();        // of what programs may reserve
bool reach_to(uintptr_t end);  // makes the arena reach so far into that
#endif

}  // namespace emulator
