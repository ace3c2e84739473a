// Where the shared variables of a kernel lie in the memory of a block.
#pragma once

#include "runtime.hpp"

namespace emulator {

size_t static_shared_bytes(const kernel_entry& kernel);  // on a GPU
// Here a guard zone follows each shared variable. Dynamic shared memory follows all.
size_t shared_offset(const kernel_entry& kernel, int variable);
size_t shared_offset_on_gpu(const kernel_entry& kernel, int variable);

}  // namespace emulator
