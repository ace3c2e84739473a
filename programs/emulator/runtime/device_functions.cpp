// What device code calls besides barriers, warp operations and atomics.

#include <cstdarg>
#include <cstdio>
#include <string>

#include "clock.hpp"
#include "faults.hpp"
#include "fiber.hpp"
#include "global_races.hpp"
#include "memory.hpp"
#include "running_launch.hpp"
#include "variables.hpp"
#include "virtual_memory.hpp"
#include "waiting.hpp"

using namespace emulator;

namespace {

constexpr uint64_t ticks_of_a_look = 64;

uint64_t tick() {
    let_ticks_pass(ticks_of_a_look);
    spin();
    return device_ticks();
}

}  // namespace

extern "C" {

long long __emu_clock() { return (long long)tick(); }
unsigned long long __emu_nanoseconds() { return tick(); }
void __emu_sleep(unsigned nanoseconds) {
    let_ticks_pass(nanoseconds);
    spin();
}

void __emu_fault(int error, const char* text, const char* file, int line) {
    fault(cudaError_t(error), place_text(file, line), text);
}

// What assert() calls when it fails. The form of the line is the GPU's own.
void __emu_assert_fail(const char* expression, const char* file, unsigned line,
                       const char* function) {
    fflush(stdout);
    const uint3 b = current_block->index, t = self().index;
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, function, b.x, b.y, b.z, t.x, t.y, t.z, expression);
    fault(cudaErrorAssert, place_text(file, int(line)),
          std::string("the assertion does not hold: ") + expression);
}

void __emu_fence() {
    self().fenced = true;
    order_by_program();
}

// In a kernel it tells how many arguments it was given.
int __emu_printf(int count, const char* format, ...) {
    if (!format) return -1;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    return count;
}

void* __emu_device_malloc(size_t bytes) { return bytes ? allocate(bytes, heap_memory) : nullptr; }
void __emu_device_free(void* p) {
    const memory_allocation* allocation = find_allocation(p);
    if (p && (!allocation || allocation->kind != heap_memory || !release(p)))
        fault(cudaErrorIllegalAddress, "", "frees memory that malloc() in a kernel has not given");
}

int __emu_space(const void* p) {
    if (in_fiber_stack(p)) return abi::space_local;
    if (const thread_block* owner = block_of_shared(p))
        return owner == current_block ? abi::space_shared : abi::space_cluster_shared;
    if (const variable_entry* variable = find_variable(p))
        return variable->constant ? abi::space_constant : abi::space_global;
    return find_allocation(p) || find_mapping(p) ? abi::space_global : abi::space_none;
}

// The first bytes of that space are reserved.
size_t __emu_shared_address(const void* p, const char* file, int line) {
    const uintptr_t offset = uintptr_t(p) - uintptr_t(current_block->shared);
    if (!current_block->shared || offset > current_block->shared_bytes)
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "asks for the address in shared memory of what is not in the block's shared memory");
    return offset + hardware::shared_bytes_reserved_per_block;
}

unsigned __emu_register_laneid() { return unsigned(lane_of(current_thread)); }
unsigned __emu_register_warpid() { return unsigned(warp_of(current_thread)); }
unsigned __emu_register_smid() {
    const auto& sms = current_launch->sms;
    return sms ? (*sms)[current_block->number % sms->size()]
               : current_block->number % hardware::multiprocessors;
}
unsigned long long __emu_register_globaltimer() { return tick(); }

}  // extern "C"
