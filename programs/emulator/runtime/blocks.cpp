#include "blocks.hpp"

extern "C" {  // the built-in variables of the thread that runs
uint3 __emu_thread, __emu_block;
dim3 __emu_block_size, __emu_grid_size;
}

namespace emulator {

const kernel_launch* current_launch;
thread_block* current_block;
int current_thread;
bool memory_changed;
unsettled_write __emu_pending_write;

}  // namespace emulator
