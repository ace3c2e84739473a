// Memory under textures that a kernel writes: what the launch under way wrote there is remembered,
// since its fetches may give what stood there before.
#pragma once

#include <cstddef>

namespace emulator {

extern bool textures_over_memory;  // there is any
void watch_under_texture(const void* begin, size_t bytes);
void note_write_under_texture(const void* p, size_t bytes);
bool written_under_texture(const void* p, size_t bytes);  // by the launch under way

}  // namespace emulator
