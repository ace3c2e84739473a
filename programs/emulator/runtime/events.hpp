// Events that there are.
#pragma once

#include "handles.hpp"
#include "streams.hpp"

namespace emulator {

extern handle_registry<device_event, cudaEvent_t> events;

}  // namespace emulator
