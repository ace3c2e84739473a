#include "handles.hpp"

namespace emulator {

static uintptr_t last_value;  // values count down from the upper end, where no program has memory
static unsigned generation;

uintptr_t new_handle_value() { return last_value -= 16; }
unsigned handle_generation() { return generation; }
void orphan_handles() { ++generation; }

}  // namespace emulator
