// The texts of errors.
#pragma once

#include "runtime.hpp"

namespace emulator {

const char* description(cudaError_t error);

}  // namespace emulator
