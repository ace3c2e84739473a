// Physical memory that programs map to addresses themselves: its bytes and their states, wherever
// they can be seen at the moment.
#pragma once

#include <vector>

#include "runtime.hpp"
#include "toolkit/cuda.h"

namespace emulator {

// In a browser, memory lies at one address at most, and kernels may read and write it or neither.
#ifdef __wasm__
constexpr bool shown_anywhere = false;
#else
constexpr bool shown_anywhere = true;
#endif

struct physical_memory {
    CUmemGenericAllocationHandle handle = 0;
    size_t bytes = 0;
    CUmemAllocationProp properties = {};
    unsigned handles = 0, mappings = 0;  // how many keep it
    bool filled = false;  // as fresh memory is, which happens when access to it is given first
#ifdef __wasm__
    std::vector<unsigned char> values = {}, states = {};  // while no address shows them
#else
    int values = -1, states = -1;  // files in memory
#endif

    bool of_device() const { return properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE; }
    bool open();
    ~physical_memory();
    physical_memory() = default;
    physical_memory(const physical_memory&) = delete;
    physical_memory& operator=(const physical_memory&) = delete;
};

// What a mapping shows at its addresses: the bytes, or none.
bool attach(physical_memory& memory, uintptr_t begin);  // false if the system refuses
void detach(physical_memory& memory, uintptr_t begin, bool keep_values);
// What kernels may do there: nothing, read (1), read and write (3).
bool show_states(physical_memory& memory, uintptr_t begin, unsigned rights);
void hide_states(physical_memory& memory, uintptr_t begin, bool keep_values);

}  // namespace emulator
