// The stepper: threads wait at each line, and go on together.

#include <cstdlib>

#include "running_launch.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace emulator {

// The threads at the lowest of the lines where some wait go on: paths that parted meet again after
// their branches.
bool running_launch::step_line(thread_block& block) {
    int line = 0;
    for (const device_thread& thread : block.threads) {
        if (thread.state == fresh || thread.state == ready) return false;
        if (thread.state == at_line && (line == 0 || thread.line < line)) line = thread.line;
    }
    if (line == 0) return false;
    if (traced(block)) trace_step(block, line);
    for (device_thread& thread : block.threads)
        if (thread.state == at_line && thread.line == line) thread.state = ready;
    return true;
}

}  // namespace emulator

using namespace emulator;

unsigned char __emu_stepped;

extern "C" void __emu_line(int line) {
    device_thread& thread = self();
    if (!traced(*current_block) || thread.last_line == line) return;
    thread.last_line = std::abs(line);
    wait_as(at_line, "", thread.last_line);
}

extern "C" void __emu_assigned(int variable, uint64_t bits) {
    if (traced(*current_block)) trace_assigned(variable, bits);
}
