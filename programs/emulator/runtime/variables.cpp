#include "variables.hpp"

#include "blocks.hpp"

namespace emulator {

const variable_entry* find_variable(const void* p, size_t margin) {
    for (const variable_entry* v = __emu_variables; v < __emu_variables + __emu_variable_count; ++v)
        if (uintptr_t(p) + margin - uintptr_t(v->place) < v->bytes() + 2 * margin) return v;
    return nullptr;
}

bool in_image(const void* p, size_t bytes) {
    const auto* begin = static_cast<const unsigned char*>(p);
    static const image_range* last = __emu_device_image;
    const auto holds = [&](const image_range& s) {
        return begin >= s.begin && begin < s.end && bytes <= size_t(s.end - begin);
    };
    if (holds(*last)) return true;
    for (const image_range* s = __emu_device_image; s->begin; ++s)
        if (holds(*s)) return last = s, true;
    const void* own[] = {&__emu_thread, &__emu_block, &__emu_block_size, &__emu_grid_size};
    for (const void* v : own)
        if (uintptr_t(p) - uintptr_t(v) < sizeof(uint3)) return true;
    return false;
}

}  // namespace emulator
