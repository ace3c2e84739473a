// Atomic operations.

#include <cstring>

#include "accesses.hpp"
#include "combine.hpp"
#include "faults.hpp"
#include "global_races.hpp"
#include "global_writes.hpp"
#include "host_uses.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "running_launch.hpp"
#include "texture_writes.hpp"
#include "waiting.hpp"

namespace {

using namespace emulator;

template <typename T>
uint64_t apply(void* place, int operation, uint64_t value, uint64_t expected) {
    T old, operand, other;
    memcpy(&operand, &value, sizeof operand);
    memcpy(&other, &expected, sizeof other);
    __atomic_load(static_cast<T*>(place), &old, __ATOMIC_SEQ_CST);
    if (operation != abi::atomic_load) {
        T next = combine(operation, old, operand, other);
        // The host may change mapped memory meanwhile.
        while (!__atomic_compare_exchange(static_cast<T*>(place), &old, &next, false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            next = combine(operation, old, operand, other);
    }
    uint64_t bits = 0;
    memcpy(&bits, &old, sizeof old);
    return bits;
}

}  // namespace

extern "C" unsigned long long __emu_atomic(void* place, int type, int operation,
                                           unsigned long long value, unsigned long long expected,
                                           const char* file, int line) {
    const int size = type >> abi::atomic_bytes_shift;
    const bool ordered = operation & abi::atomic_ordered;
    operation &= ~int(abi::atomic_ordered);
    if (uintptr_t(place) % size != 0)
        fault(cudaErrorMisalignedAddress, place_text(file, line),
              "an atomic at an address that is no multiple of its size");
    const auto where = [=] { return place_text(file, line); };
    check_access(place, size, operation == abi::atomic_exchange || operation == abi::atomic_store,
                 where);  // an exchange may be the first write
    if (operation != abi::atomic_load) check_bounds(place, size_t(size), true, where);
    note_atomic(place, size, ordered, file, line);
    if (ordered || operation == abi::atomic_exchange || operation == abi::atomic_compare_swap)
        order_by_program();
    else if (operation == abi::atomic_load && !block_of_shared(place))
        forget_host_uses();  // a flag that the host has set, perhaps
    else if (!block_of_shared(place))
        check_global_atomic(place, size_t(size), operation != abi::atomic_load, file, line);
    tell_access(place, size_t(size), trace_kind::atomic, -line);
    if (operation != abi::atomic_load && textures_over_memory)
        note_write_under_texture(place, size_t(size));
    if (operation != abi::atomic_load && writes_are_noted() && in_arena(place) &&
        !block_of_shared(place))
        note_written(place, size_t(size), place_number(file, line));
    unsigned long long old = 0;
    switch (type) {
        case abi::atomic_type(abi::atomic_signed, 4):
            old = apply<int32_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_signed, 8):
            old = apply<int64_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_signed, 1):
            old = apply<int8_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_unsigned, 1):
            old = apply<uint8_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_signed, 2):
            old = apply<int16_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_unsigned, 2):
            old = apply<uint16_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_unsigned, 4):
            old = apply<uint32_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_unsigned, 8):
            old = apply<uint64_t>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_float, 4):
            old = apply<float>(place, operation, value, expected);
            break;
        case abi::atomic_type(abi::atomic_double, 8):
            old = apply<double>(place, operation, value, expected);
            break;
        default:
            fault(cudaErrorNotSupported, where(), "an atomic of a type that the emulator lacks");
    }
    memory_changed |= operation != abi::atomic_load && memcmp(place, &old, size) != 0;
    spin();
    return old;
}
