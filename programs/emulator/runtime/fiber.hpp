// Fibers: stacks that can be left and entered again (fiber_native.cpp, fiber_web.cpp).
#pragma once

#include "runtime.hpp"

namespace emulator {

enum fiber_outcome { yielded = 0, ended = 1, abandoned = 2 };
void reserve_fibers(int count);
fiber_outcome enter_fiber(
    int slot, bool fresh);  // runs fiber_main(slot) until it yields, ends or is abandoned
void yield_fiber();
void guarded(
    void (*act)());  // runs act, which enters fibers; where one is abandoned, act may end there
[[noreturn]] void abandon_fiber();  // never comes back to the fiber
bool in_fiber_stack(const void* p);
bool in_own_stack(const void* p);  // of the fiber that runs
int overflowed_bytes(int slot);  // the size of the fiber's stack if it needed more, else 0

// The scheduler defines these two.
void fiber_main(int slot);
[[noreturn]] void stack_is_full(int bytes);  // the fiber that runs needs more than these

}  // namespace emulator
