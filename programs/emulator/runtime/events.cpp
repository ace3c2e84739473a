#include "events.hpp"

namespace emulator {

handle_registry<device_event, cudaEvent_t> events;

}  // namespace emulator
