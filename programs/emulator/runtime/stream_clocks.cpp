// What each stream, and the host, is known to come after.

#include <algorithm>

#include "streams.hpp"

namespace emulator {

static stream_clock host_clock;

void merge(stream_clock& clock, const stream_clock& other) {
    for (const auto& [stream, work] : other) clock[stream] = std::max(clock[stream], work);
}
void host_saw(const stream_clock& clock) { merge(host_clock, clock); }
const stream_clock& seen_by_host() { return host_clock; }

}  // namespace emulator
