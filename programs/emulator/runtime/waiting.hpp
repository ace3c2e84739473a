// Where a thread gives way to others.
#pragma once

#include "blocks.hpp"

namespace emulator {

// Until the scheduler lets it go on.
void wait_as(thread_state state, const char* file, int line, int site = abi::no_site);
// Faults where a thread has arrived at a barrier of such a group and not waited yet.
void refuse_between_arrival_and_wait(int scope, const char* file, int line);
// Faults where a thread would wait for the whole grid in a launch that is not cooperative.
void refuse_ordinary_launch(int scope, const char* file, int line);
void spin();  // lets others go on; called where a thread looks at memory that may change

}  // namespace emulator
