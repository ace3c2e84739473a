// Tells the page how a block goes through its kernel, line by line: the records that
// docs/_ext/lockstep_sphinx/emulator/steps.js reads. They go to file descriptor 3. Only programs
// that were built for it (__emu_stepping) come here.

#include "trace.hpp"

#include <unistd.h>

namespace emulator {

namespace {

constexpr unsigned most_blocks = 4;  // of a launch
constexpr size_t flush_bytes = 32768;

std::string records;
bool source_told;

void tell(const std::string& record) {
    records += record + "\n";
    if (records.size() > flush_bytes) flush_trace();
}

std::string triple(dim3 d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

}  // namespace

void flush_trace() {
    for (size_t sent = 0; sent < records.size();) {
        const ssize_t count = write(3, records.data() + sent, records.size() - sent);
        if (count <= 0) break;
        sent += size_t(count);
    }
    records.clear();
}

bool traced(const thread_block& block) { return __emu_stepping && block.number < most_blocks; }

void trace_launch(const kernel_launch& launch) {
    if (!source_told)
        for (const source_line* line = __emu_source; line->text; ++line)
            tell("source " + std::to_string(line->number) + " " + line->text);
    source_told = true;
    tell(std::string("kernel ") + launch.kernel->name + " " + triple(launch.grid) + " " +
         triple(launch.block));
}

void trace_step(const thread_block& block, int line) {
    std::string lanes;
    for (const device_thread& thread : block.threads) {
        switch (thread.state) {
            case at_line: lanes += thread.line == line ? '#' : '.'; break;
            case at_barrier:
            case at_group_barrier: lanes += '|'; break;
            case in_warp_operation:
            case asking_active: lanes += 'w'; break;
            case over: lanes += '-'; break;
            default: lanes += '.'; break;
        }
    }
    tell("step " + std::to_string(block.number) + " " + std::to_string(line) + " " + lanes);
}

void trace_event(const thread_block& block, int line, const std::string& text) {
    if (traced(block))
        tell("event " + std::to_string(block.number) + " " + std::to_string(line) + " " + text);
}

}  // namespace emulator
