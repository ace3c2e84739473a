// What the emulated device answers to queries.
#pragma once

#include "runtime.hpp"

namespace emulator {

cudaDeviceProp properties();
bool attribute(int* value, cudaDeviceAttr which);  // false: unknown

}  // namespace emulator
