// Events that there are.
#pragma once

#include "handles.hpp"
#include "streams.hpp"

namespace emulator {

// What a stream does where an event is recorded for the time of this number.
std::function<cudaError_t()> note_time(std::shared_ptr<device_event> event, unsigned number);
extern handle_registry<device_event, cudaEvent_t> events;

}  // namespace emulator
