// Memory that a stream gives.
#pragma once

#include "memory.hpp"

namespace emulator {

cudaError_t give_in_stream(void** pointer, size_t bytes, memory_kind kind, cudaStream_t handle);

}  // namespace emulator
