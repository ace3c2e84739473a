// Reductions: each element of what is in memory is combined with one that comes.
#pragma once

#include "runtime.hpp"

namespace emulator {

void reduce(unsigned char* to, const unsigned char* values, size_t bytes, int operation, int type);

}  // namespace emulator
