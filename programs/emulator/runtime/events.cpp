#include "events.hpp"

#include <utility>

#include "clock.hpp"

namespace emulator {

std::function<cudaError_t()> note_time(std::shared_ptr<device_event> event, unsigned number) {
    return [number, noted = std::move(event)] {
        if (noted->records == number) noted->time = host_nanoseconds() + device_ticks() / 2;
        return cudaSuccess;
    };
}

handle_registry<device_event, cudaEvent_t> events;

}  // namespace emulator
