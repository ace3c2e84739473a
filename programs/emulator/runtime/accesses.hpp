// Judges each access: its bounds, and whether what it reads was ever written.
#pragma once

#include <functional>
#include <string>

#include "trace.hpp"

namespace emulator {

void check_bounds(const void* p, size_t size, bool write,
                  const std::function<std::string()>& place);
void check_access(const void* p, int size, bool write, const std::function<std::string()>& place);
// Tells the stepper of it.
void tell_access(const void* p, size_t size, trace_kind kind, int place);

}  // namespace emulator
