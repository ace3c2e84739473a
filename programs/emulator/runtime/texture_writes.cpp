#include "texture_writes.hpp"

#include <unordered_map>

#include "memory.hpp"
#include "running_launch.hpp"

namespace emulator {

bool textures_over_memory = false;

static std::unordered_map<uintptr_t, uint32_t> writers;  // by words: the launch that wrote last

void watch_under_texture(const void* begin, size_t bytes) {
    if (!in_arena(begin)) return;
    textures_over_memory = true;
    unsigned char* const states = shadow_of(begin);
    for (size_t i = 0; i < bytes; ++i) states[i] |= abi::shadow_watched;  // no quick check passes
}

void note_write_under_texture(const void* p, size_t bytes) {
    if (!textures_over_memory || !in_arena(p) || !(*shadow_of(p) & abi::shadow_watched)) return;
    for (uintptr_t word = uintptr_t(p) / 4; word <= (uintptr_t(p) + bytes - 1) / 4; ++word)
        writers[word] = current_running->serial;
}

bool written_under_texture(const void* p, size_t bytes) {
    if (!textures_over_memory) return false;
    for (uintptr_t word = uintptr_t(p) / 4; word <= (uintptr_t(p) + bytes - 1) / 4; ++word)
        if (const auto found = writers.find(word);
            found != writers.end() && found->second == current_running->serial)
            return true;
    return false;
}

}  // namespace emulator
