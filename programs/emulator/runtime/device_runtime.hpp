// What device code asks the runtime for, and the host's functions, too.
#pragma once

#include "runtime.hpp"

extern "C" {
int __emu_device_limit(size_t* found, int which);
int __emu_space(const void* p);
void* __emu_device_malloc(size_t bytes);
}
