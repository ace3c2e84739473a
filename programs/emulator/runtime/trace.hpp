// What the stepper shows: records for the page. Only programs that are built for it have them; the
// others are linked with no_trace.cpp.
#pragma once

#include <string>

#include "blocks.hpp"

extern "C" unsigned char __emu_stepped;  // whether the steps of the block that runs are shown

namespace emulator {

enum class trace_kind : char { read = 'r', write = 'w', atomic = 'a' };

void trace_launch(const kernel_launch& launch);
bool wants_steps();  // of any block of the launch that begins
bool wants_steps(const thread_block& block);  // asked when it begins
inline bool traced(const thread_block& block) { return block.stepped; }
// No further one follows where there are too many.
void trace_step(thread_block& block, int line);
void trace_event(const thread_block& block, int line, const std::string& text);
// Of the thread that runs: a variable has this value now; memory is accessed.
void trace_assigned(int variable, uint64_t bits);
// `owner`: the block whose shared memory it is, if any.
void trace_access(const void* p, size_t size, trace_kind kind, int place,
                  const thread_block* owner);
void trace_end(const thread_block& block);
void flush_trace();

}  // namespace emulator
