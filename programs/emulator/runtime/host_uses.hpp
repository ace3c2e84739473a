// What the host reads and writes while work is under way that may use the same memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace emulator {

struct host_use {
    bool wrote;
    std::string place;  // in the source
};

// Set by the queue of work: while there is none, nothing is noted.
extern std::atomic<bool> work_is_pending;
// Work that is put into the queue takes this along: what the host does later has a higher number.
uint64_t host_uses_so_far();
// A use later than that of any of these bytes which an access now meets: both write, or one of
// them.
std::optional<host_use> host_use_after(uint64_t number, const void* p, size_t bytes, bool write);
// Whether there is any.
bool host_uses_noted();
// All work is done, or something has ordered what is still to come.
void forget_host_uses();

}  // namespace emulator
