// What an atomic operation or a reduction makes of two values.
#pragma once

#include <cstring>
#include <type_traits>

#include "runtime.hpp"

namespace emulator {

template <typename T>
T combine(int operation, T old, T value, T expected) {
    switch (operation) {
        case abi::atomic_add: return old + value;
        case abi::atomic_exchange:
        case abi::atomic_store: return value;
        case abi::atomic_min: return value < old ? value : old;
        case abi::atomic_max: return old < value ? value : old;
        case abi::atomic_increment: return old >= value ? T(0) : T(old + 1);
        case abi::atomic_decrement: return old == T(0) || old > value ? value : T(old - 1);
        case abi::atomic_compare_swap:
            return memcmp(&old, &expected, sizeof old) == 0 ? value : old;
        default: break;
    }
    if constexpr (!std::is_floating_point_v<T>) {
        if (operation == abi::atomic_and) return old & value;
        if (operation == abi::atomic_or) return old | value;
        if (operation == abi::atomic_xor) return old ^ value;
    }
    return old;
}

}  // namespace emulator
