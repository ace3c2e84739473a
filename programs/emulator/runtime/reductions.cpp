#include "reductions.hpp"

#include "combine.hpp"

namespace emulator {

namespace {

template <typename T>
void reduce_as(unsigned char* to, const unsigned char* values, size_t bytes, int operation) {
    for (size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
        T old, value;
        memcpy(&old, to + at, sizeof old);
        memcpy(&value, values + at, sizeof value);
        old = combine(operation, old, value, T());
        memcpy(to + at, &old, sizeof old);
    }
}

}  // namespace

void reduce(unsigned char* to, const unsigned char* values, size_t bytes, int operation, int type) {
    switch (type) {
        case abi::atomic_type(abi::atomic_signed, 4):
            return reduce_as<int32_t>(to, values, bytes, operation);
        case abi::atomic_type(abi::atomic_signed, 8):
            return reduce_as<int64_t>(to, values, bytes, operation);
        case abi::atomic_type(abi::atomic_unsigned, 4):
            return reduce_as<uint32_t>(to, values, bytes, operation);
        case abi::atomic_type(abi::atomic_unsigned, 8):
            return reduce_as<uint64_t>(to, values, bytes, operation);
        case abi::atomic_type(abi::atomic_float, 4):
            return reduce_as<float>(to, values, bytes, operation);
        default: return reduce_as<double>(to, values, bytes, operation);
    }
}

}  // namespace emulator
