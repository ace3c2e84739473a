// What the stepper shows: records for the page.
#pragma once

#include <string>

#include "blocks.hpp"

namespace emulator {

void trace_launch(const kernel_launch& launch);
bool traced(const thread_block& block);
void trace_step(const thread_block& block, int line);
void trace_event(const thread_block& block, int line, const std::string& text);
void flush_trace();

}  // namespace emulator
