// The variables of the device's side.
#pragma once

#include "runtime.hpp"

namespace emulator {

// Of the host's names; also so many bytes beside one.
const variable_entry* find_variable(const void* p, size_t margin = 0);
bool in_image(const void* p, size_t bytes);  // a variable of the device's side

}  // namespace emulator
