// Copies and fills of rows.
#pragma once

#include "streams.hpp"

namespace emulator {

// A plain copy is one row.
cudaError_t copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                 size_t height, cudaMemcpyKind kind, device_stream& stream, bool wait);
// A copy of several layers of rows.
cudaError_t copy(const cudaMemcpy3DParms& wanted, device_stream& stream, bool wait);
// Without any checks, now.
cudaError_t carry_out(const cudaMemcpy3DParms& copy);
cudaError_t carry_out(const cudaMemsetParams& fill);
// What nodes of graphs may be asked to do.
cudaError_t check(const cudaMemcpy3DParms& copy);
cudaError_t check(const cudaMemsetParams& fill);
// A host that sees the memory finds it filled, unless the call is meant not to wait.
cudaError_t fill(void* to, size_t pitch, int value, size_t width, size_t height,
                 device_stream& stream, bool wait);

}  // namespace emulator
