// Stops a kernel, and says where and why.
#pragma once

#include <string>

#include "blocks.hpp"

namespace emulator {

// Stops the kernel with a message. `place` is "file:line" or empty.
[[noreturn]] void fault(cudaError_t error, const std::string& place, const std::string& text);
std::string place_text(const char* file, int line);
// Places that no table of the program has get numbers below 0.
int place_number(const char* file, int line);
std::string place_name(int number);
std::string mask_text(unsigned mask);  // of lanes
std::string thread_text(const thread_block& block, int thread);

}  // namespace emulator
