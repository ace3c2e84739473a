// What device code calls besides barriers and warp operations: atomics, clocks, the end of a kernel, heap.

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "runtime.hpp"

namespace emulator {

namespace {

uint64_t ticks = 1000;
constexpr uint64_t ticks_of_a_look = 64;

uint64_t tick() {
    ticks += ticks_of_a_look;
    spin();
    return ticks;
}

template <typename T>
T combine(int operation, T old, T value, T expected) {
    switch (operation) {
        case 0: return old + value;
        case 1:
        case 11: return value;
        case 2: return value < old ? value : old;
        case 3: return old < value ? value : old;
        case 7: return old >= value ? T(0) : T(old + 1);
        case 8: return old == T(0) || old > value ? value : T(old - 1);
        case 9: return memcmp(&old, &expected, sizeof old) == 0 ? value : old;
        default: break;
    }
    if constexpr (!std::is_floating_point_v<T>) {
        if (operation == 4) return old & value;
        if (operation == 5) return old | value;
        if (operation == 6) return old ^ value;
    }
    return old;
}

template <typename T>
uint64_t apply(void* place, int operation, uint64_t value, uint64_t expected) {
    T old, operand, other;
    memcpy(&operand, &value, sizeof operand);
    memcpy(&other, &expected, sizeof other);
    __atomic_load(static_cast<T*>(place), &old, __ATOMIC_SEQ_CST);
    if (operation != 10) {
        T next = combine(operation, old, operand, other);
        // The host may change mapped memory meanwhile.
        while (
            !__atomic_compare_exchange(static_cast<T*>(place), &old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            next = combine(operation, old, operand, other);
    }
    uint64_t bits = 0;
    memcpy(&bits, &old, sizeof old);
    return bits;
}

}  // namespace

uint64_t device_ticks() { return ticks; }
void let_ticks_pass(uint64_t more) { ticks += more; }

}  // namespace emulator

using namespace emulator;

extern "C" {

unsigned long long __emu_atomic(void* place, int type, int operation, unsigned long long value,
                                unsigned long long expected, const char* file, int line) {
    const int size = type >> 8, kind = type & 255;
    const bool ordered = operation & 32;
    operation &= 31;
    if (uintptr_t(place) % size != 0)
        fault(cudaErrorMisalignedAddress, place_text(file, line),
              "an atomic at an address that is no multiple of its size");
    const auto where = [=] { return place_text(file, line); };
    check_access(place, size, operation == 1 || operation == 11, where);  // an exchange may be the first write
    note_atomic(place, size, ordered, file, line);
    unsigned long long old = 0;
    switch (kind << 8 | size) {
        case 0 << 8 | 4: old = apply<int32_t>(place, operation, value, expected); break;
        case 0 << 8 | 8: old = apply<int64_t>(place, operation, value, expected); break;
        case 0 << 8 | 1: old = apply<int8_t>(place, operation, value, expected); break;
        case 1 << 8 | 1: old = apply<uint8_t>(place, operation, value, expected); break;
        case 0 << 8 | 2: old = apply<int16_t>(place, operation, value, expected); break;
        case 1 << 8 | 2: old = apply<uint16_t>(place, operation, value, expected); break;
        case 1 << 8 | 4: old = apply<uint32_t>(place, operation, value, expected); break;
        case 1 << 8 | 8: old = apply<uint64_t>(place, operation, value, expected); break;
        case 2 << 8 | 4: old = apply<float>(place, operation, value, expected); break;
        case 3 << 8 | 8: old = apply<double>(place, operation, value, expected); break;
        default: fault(cudaErrorNotSupported, where(), "an atomic of a type that the emulator lacks");
    }
    memory_changed |= operation != 10 && memcmp(place, &old, size) != 0;
    spin();
    return old;
}

long long __emu_clock() { return (long long)tick(); }
unsigned long long __emu_nanoseconds() { return tick(); }
void __emu_sleep(unsigned nanoseconds) {
    ticks += nanoseconds;
    spin();
}

void __emu_fault(int error, const char* text, const char* file, int line) {
    fault(cudaError_t(error), place_text(file, line), text);
}

// What assert() calls when it fails. The form of the line is the GPU's own.
void __emu_assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
    fflush(stdout);
    const uint3 b = current_block->index, t = self().index;
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function,
            b.x, b.y, b.z, t.x, t.y, t.z, expression);
    fault(cudaErrorAssert, place_text(file, int(line)), std::string("the assertion does not hold: ") + expression);
}

void __emu_fence() { self().fenced = true; }

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
    const Allocation* allocation = find_allocation(p);
    if (p && (!allocation || allocation->kind != heap_memory || !release(p)))
        fault(cudaErrorIllegalAddress, "", "frees memory that malloc() in a kernel has not given");
}

int __emu_space(const void* p) {
    if (in_fibre_stack(p)) return 4;
    if (block_of_shared(p)) return 2;
    if (const Variable* variable = find_variable(p)) return variable->constant ? 3 : 1;
    return find_allocation(p) ? 1 : 0;
}

unsigned __emu_register_laneid() { return current_thread & 31; }
unsigned __emu_register_warpid() { return current_thread >> 5; }
unsigned __emu_register_smid() { return current_block->number % 132; }
unsigned long long __emu_register_globaltimer() { return tick(); }

}  // extern "C"
