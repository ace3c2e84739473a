// Fibres in WebAssembly: Binaryen's asyncify unwinds and rewinds the stack; the page's worker holds the ends together.

#include <cstdlib>
#include <vector>

#include "runtime.hpp"

namespace emulator {

extern "C" {
__attribute__((import_module("emu"), import_name("enter"))) int emu_enter(int fibre, void* stack_top, void* buffer,
                                                                          int buffer_bytes, int fresh);
__attribute__((import_module("emu"), import_name("yield"))) void emu_yield();
__attribute__((import_module("emu"), import_name("abandon"))) void emu_abandon();
__attribute__((export_name("emu_fibre_main"))) void emu_fibre_main(int slot) { fibre_main(slot); }
}

namespace {

constexpr int stack_bytes = 14 << 10;   // the program's own stack
constexpr int buffer_bytes = 2 << 10;   // where asyncify keeps what was on the machine's
constexpr int fibres_in_chunk = 64;

std::vector<unsigned char*> chunks;

}  // namespace

void reserve_fibres(int count) {
    while (int(chunks.size()) * fibres_in_chunk < count) {
        auto* chunk = static_cast<unsigned char*>(malloc(size_t(fibres_in_chunk) * (stack_bytes + buffer_bytes)));
        if (!chunk) abort();
        chunks.push_back(chunk);
    }
}

Outcome enter_fibre(int slot, bool fresh) {
    unsigned char* own = chunks[slot / fibres_in_chunk] + size_t(slot % fibres_in_chunk) * (stack_bytes + buffer_bytes);
    return Outcome(emu_enter(slot, own + buffer_bytes + stack_bytes, own, buffer_bytes, fresh));
}

void yield_fibre() { emu_yield(); }

void abandon_fibre() {
    emu_abandon();
    __builtin_unreachable();
}

bool in_fibre_stack(const void* p) {
    for (unsigned char* chunk : chunks)
        if (uintptr_t(p) - uintptr_t(chunk) < size_t(fibres_in_chunk) * (stack_bytes + buffer_bytes)) return true;
    return false;
}

}  // namespace emulator
