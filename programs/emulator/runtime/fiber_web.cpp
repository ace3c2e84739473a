// Fibers in WebAssembly: Binaryen's asyncify unwinds a fiber's stack into a buffer and rewinds it
// from there.

#include "fiber.hpp"

#include <cstdlib>
#include <vector>

namespace emulator {

// The asyncify pass puts functions of its own in the place of these. It leaves a function that
// calls them as it is, so that one that calls start_unwind or stop_rewind is run through from its
// beginning when its fiber is rewound: no more than that may be inlined into it before the pass.
extern "C" {
__attribute__((import_module("asyncify"), import_name("start_unwind"))) void asyncify_start_unwind(
    void* buffer);
__attribute__((import_module("asyncify"), import_name("stop_unwind"))) void asyncify_stop_unwind();
__attribute__((import_module("asyncify"), import_name("start_rewind"))) void asyncify_start_rewind(
    void* buffer);
__attribute__((import_module("asyncify"), import_name("stop_rewind"))) void asyncify_stop_rewind();
__attribute__((import_module("emu"), import_name("guard"))) void emu_guard();
__attribute__((import_module("emu"), import_name("abandon"))) void emu_abandon();
__attribute__((export_name("emu_guarded"))) void emu_guarded();
}

namespace {

constexpr int stack_bytes = 14 << 10;   // the program's own stack
constexpr int buffer_bytes = 2 << 10;   // where asyncify keeps what was on the machine's
constexpr int fibers_in_chunk = 64;
constexpr uint64_t untouched = 0x10c57e9a7b1e0000;

struct web_fiber {
    unsigned char *end, *limit;  // of what was unwound, and of the buffer, as asyncify wants
    unsigned char* stack;        // the stack pointer where it gave way
    int unused;
    unsigned char buffer[buffer_bytes - 24];
    uint64_t lowest;             // as it was put there, unless the stack grew over it
    alignas(16) unsigned char frames[stack_bytes];
};

std::vector<web_fiber*> chunks;
web_fiber* running;
bool unwound, rewinding;
void (*guarded_act)();

inline void set_stack(const void* to) {
    asm volatile("local.get %0\n\tglobal.set __stack_pointer" ::"r"(to));
}
inline unsigned char* get_stack() {
    unsigned char* now;
    asm volatile("global.get __stack_pointer\n\tlocal.set %0" : "=r"(now));
    return now;
}

}  // namespace

void reserve_fibers(int count) {
    while (int(chunks.size()) * fibers_in_chunk < count) {
        auto* chunk =
            static_cast<web_fiber*>(aligned_alloc(16, fibers_in_chunk * sizeof(web_fiber)));
        if (!chunk) abort();
        chunks.push_back(chunk);
    }
}

__attribute__((noinline)) fiber_outcome enter_fiber(int slot, bool fresh) {
    web_fiber& fiber = chunks[slot / fibers_in_chunk][slot % fibers_in_chunk];
    unsigned char* const own = get_stack();
    running = &fiber;
    unwound = false;
    if (fresh) {
        fiber.lowest = untouched;
        set_stack(fiber.frames + stack_bytes);
    } else {
        set_stack(fiber.stack);
        rewinding = true;
        asyncify_start_rewind(&fiber);
    }
    fiber_main(slot);
    set_stack(own);
    if (!unwound) return ended;
    unwound = false;
    asyncify_stop_unwind();
    return yielded;
}

__attribute__((noinline)) void yield_fiber() {
    if (rewinding) {
        rewinding = false;
        asyncify_stop_rewind();
        return;
    }
    web_fiber& fiber = *running;
    fiber.end = fiber.buffer;
    fiber.limit = fiber.buffer + sizeof fiber.buffer;
    fiber.stack = get_stack();
    unwound = true;
    asyncify_start_unwind(&fiber);
}

// Leaving a fiber for good is the page's business: unwinding would burden whatever may stop a
// kernel, which each access to memory may.
void guarded(void (*act)()) {
    guarded_act = act;
    emu_guard();
}

void emu_guarded() { guarded_act(); }

void abandon_fiber() {
    emu_abandon();
    __builtin_unreachable();
}

// Called after each array on the stack. What it has to say is said on the stack's upper end.
extern "C" void __emu_frame(const void* p) {
    if (p >= running->frames) return;
    set_stack(running->frames + stack_bytes);
    stack_is_full(stack_bytes);
}

int overflowed_bytes(int slot) {
    return chunks[slot / fibers_in_chunk][slot % fibers_in_chunk].lowest == untouched ? 0
                                                                                      : stack_bytes;
}

bool in_fiber_stack(const void* p) {
    for (const web_fiber* chunk : chunks)
        if (uintptr_t(p) - uintptr_t(chunk) < fibers_in_chunk * sizeof(web_fiber)) return true;
    return false;
}

bool in_own_stack(const void* p) { return uintptr_t(p) - uintptr_t(running) < sizeof(web_fiber); }

}  // namespace emulator
