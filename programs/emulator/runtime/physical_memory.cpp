#include "physical_memory.hpp"

#include <cstring>

#include "memory.hpp"

#ifndef __wasm__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace emulator {

namespace {

void fill(physical_memory& memory, uintptr_t begin, unsigned char* states) {
    const bool unwritten = memory.of_device();
    memset(states, unwritten ? abi::shadow_uninitialized : abi::shadow_initialized, memory.bytes);
    memset(reinterpret_cast<void*>(begin), unwritten ? 0xcd : 0, memory.bytes);
    memory.filled = true;
}

unsigned char* states_at(uintptr_t begin) { return shadow_of(reinterpret_cast<void*>(begin)); }

}  // namespace

#ifdef __wasm__

// The memory lies at the one address that shows it.
bool physical_memory::open() { return true; }
physical_memory::~physical_memory() {
    if (bytes && of_device()) give_bytes(bytes);
}

bool attach(physical_memory& memory, uintptr_t begin) {
    if (!memory.values.empty())
        memcpy(reinterpret_cast<void*>(begin), memory.values.data(), memory.bytes);
    memory.values = {};
    return true;
}

void detach(physical_memory& memory, uintptr_t begin, bool keep_values) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(begin);
    if (keep_values && memory.filled) memory.values.assign(bytes, bytes + memory.bytes);
}

bool show_states(physical_memory& memory, uintptr_t begin, unsigned) {
    if (!memory.filled)
        fill(memory, begin, states_at(begin));
    else if (!memory.states.empty())
        memcpy(states_at(begin), memory.states.data(), memory.bytes);
    memory.states = {};
    return true;
}

void hide_states(physical_memory& memory, uintptr_t begin, bool keep_values) {
    if (keep_values) memory.states.assign(states_at(begin), states_at(begin) + memory.bytes);
    memset(states_at(begin), abi::shadow_not_allocated, memory.bytes);
}

#else

namespace {

bool show(int file, void* place, size_t bytes) {
    return mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
           MAP_FAILED;
}
void show_nothing(void* place, size_t bytes, int protection) {
    mmap(place, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
unsigned char* states_for_reader(uintptr_t begin) {
    return ranges_to_read + (begin - ranges_begin);
}

}  // namespace

bool physical_memory::open() {
    for (int* file : {&values, &states}) {
        *file = memfd_create("emulator", MFD_CLOEXEC);
        if (*file < 0 || ftruncate(*file, off_t(bytes)) != 0) return false;
    }
    return true;
}

physical_memory::~physical_memory() {
    if (bytes && of_device()) give_bytes(bytes);
    for (const int file : {values, states})
        if (file >= 0) close(file);
}

bool attach(physical_memory& memory, uintptr_t begin) {
    return show(memory.values, reinterpret_cast<void*>(begin), memory.bytes);
}

void detach(physical_memory& memory, uintptr_t begin, bool) {
    show_nothing(reinterpret_cast<void*>(begin), memory.bytes, PROT_NONE);
}

bool show_states(physical_memory& memory, uintptr_t begin, unsigned rights) {
    unsigned char* to_read = states_for_reader(begin);
    if (!show(memory.states, to_read, memory.bytes)) return false;
    if (!memory.filled) fill(memory, begin, to_read);
    return rights != CU_MEM_ACCESS_FLAGS_PROT_READWRITE ||
           show(memory.states, states_at(begin), memory.bytes);
}

void hide_states(physical_memory& memory, uintptr_t begin, bool) {
    for (unsigned char* states : {states_at(begin), states_for_reader(begin)})
        show_nothing(states, memory.bytes, PROT_READ | PROT_WRITE);
}

#endif

}  // namespace emulator
