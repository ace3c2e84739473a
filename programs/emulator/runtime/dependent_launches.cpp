// Kernels that may begin before the one that they depend on has ended.

#include "fiber.hpp"
#include "races.hpp"
#include "random.hpp"
#include "running_launch.hpp"
#include "waiting.hpp"

namespace emulator {

// All blocks have ended or have no objection.
bool running_launch::triggered() const {
    if (!has_begun()) return false;
    for (const auto& block : blocks_)
        if (block->alive && !block->triggered) return false;
    return true;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

// A block has triggered when all its threads have called this or ended; the first call is enough
// to let others try.
void __emu_trigger() {
    device_thread& thread = self();
    if (!thread.triggered) {
        thread.triggered = true;
        thread_block& block = *current_block;
        block.triggered = true;
        for (const device_thread& other : block.threads)
            block.triggered = block.triggered && (other.triggered || other.state == over);
    }
    if (!seed) return;
    settle();
    thread.state = ready;
    yield_fiber();
}

void __emu_grid_dependency() {
    while (current_launch->before_is_over && !current_launch->before_is_over()) {
        settle();
        self().state = spinning;
        yield_fiber();
    }
}

}  // extern "C"
