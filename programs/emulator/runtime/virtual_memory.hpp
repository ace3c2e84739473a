// Addresses that programs reserve, and the physical memory that they map there.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "physical_memory.hpp"

namespace emulator {

struct memory_mapping {
    uintptr_t begin;
    std::shared_ptr<physical_memory> memory;
    unsigned rights = CU_MEM_ACCESS_FLAGS_PROT_NONE;       // of the device
    unsigned host_rights = CU_MEM_ACCESS_FLAGS_PROT_NONE;  // of the host

    size_t bytes() const { return memory->bytes; }
    uintptr_t end() const { return begin + bytes(); }
};

struct reserved_range {
    uintptr_t begin;
    size_t bytes;
    std::map<uintptr_t, memory_mapping> mappings = {};
    std::map<uintptr_t, size_t> unmapped = {};  // where there was a mapping before, and how large
};

// 0 if there are not enough addresses.
uintptr_t reserve_range(size_t bytes, size_t alignment, uintptr_t wanted);
bool free_range(uintptr_t begin, size_t bytes);  // false if it is none, or something is mapped
reserved_range* find_range(const void* p);

// With one handle; null if there is not enough memory.
std::shared_ptr<physical_memory> create_memory(size_t bytes, const CUmemAllocationProp& properties);
// Null for a handle that is none, or none any more.
std::shared_ptr<physical_memory> memory_of(CUmemGenericAllocationHandle handle);
void retain(const std::shared_ptr<physical_memory>& memory);  // one more
void release(physical_memory& memory);

bool map_memory(reserved_range& range, uintptr_t begin,
                const std::shared_ptr<physical_memory>& memory);
void unmap(reserved_range& range, uintptr_t begin);
bool set_rights(memory_mapping& mapping, unsigned rights);
memory_mapping* find_mapping(const void* p);
// Whether each of so many bytes is mapped, and the device may read it, or write it, too.
bool allowed(const void* p, size_t bytes, bool write);

// Why an access to addresses that a program has reserved is wrong; empty for all other addresses.
std::string reason_of_fault(const void* p, bool write);
bool was_reserved(const void* p);  // and given back

}  // namespace emulator
