// What every part of the runtime sees: CUDA's types, the contract with the rewriter, the hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "abi.hpp"
#include "hardware.hpp"
#include "toolkit/cuda_runtime_api.h"

namespace emulator {

namespace abi = emulator_abi;
namespace hardware = emulator_hardware;
using namespace emulator_abi;  // its tables, above all

template <class T>
constexpr T rounded_up(T value, std::type_identity_t<T> unit) {
    return (value + unit - 1) / unit * unit;
}

inline uint64_t volume(dim3 d) { return uint64_t(d.x) * d.y * d.z; }

constexpr int warp_size = hardware::warp_size;
inline int warp_of(int thread) { return thread / warp_size; }
inline int lane_of(int thread) { return thread % warp_size; }

}  // namespace emulator
