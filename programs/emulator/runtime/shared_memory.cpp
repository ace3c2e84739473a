#include "shared_memory.hpp"

#include "blocks.hpp"

namespace emulator {

static size_t shared_offset(const kernel_entry& kernel, int variable, int guard) {
    int offset = 0;
    for (const int* number = kernel.shared; *number >= 0; ++number) {
        const abi::shared_variable& found = abi::__emu_shared_variables[*number];
        offset = rounded_up(offset, found.alignment);
        if (*number == variable) return size_t(offset);
        offset += found.bytes + guard;
    }
    return size_t(rounded_up(offset, 16));
}

size_t shared_offset(const kernel_entry& kernel, int variable) {
    const size_t offset = shared_offset(kernel, variable, abi::shared_guard_bytes);
    // A program may ask any alignment of its dynamic shared memory.
    return variable == abi::dynamic_shared_variable ? rounded_up(offset, 1024) : offset;
}
size_t shared_offset_on_gpu(const kernel_entry& kernel, int variable) {
    return shared_offset(kernel, variable, 0);
}
size_t static_shared_bytes(const kernel_entry& kernel) {
    return shared_offset_on_gpu(kernel, abi::dynamic_shared_variable);
}

}  // namespace emulator

using namespace emulator;

extern "C" void* __emu_shared(int variable) {
    return current_block->shared + shared_offset(*current_launch->kernel, variable);
}
