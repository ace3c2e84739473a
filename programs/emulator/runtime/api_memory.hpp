// Memory of any kind, given to who asks in a stream.
#pragma once

#include "streams.hpp"

namespace emulator {

// From the current pool if none is named.
cudaError_t give_in_stream(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t handle);

}  // namespace emulator
