// Reads and writes through surface objects, and what is written under textures.

#include <cstring>
#include <unordered_map>

#include "accesses.hpp"
#include "faults.hpp"
#include "global_races.hpp"
#include "memory.hpp"
#include "running_launch.hpp"
#include "textures.hpp"

namespace emulator {

bool textures_over_memory = false;

namespace {

std::unordered_map<uintptr_t, uint32_t> writers;  // by words: the launch that wrote last

int function_for(const texel_array& array) {
    if (array.cube()) return array.layered() ? abi::fetch_cube_layered : abi::fetch_cube;
    if (array.layered()) return array.extent.height ? abi::fetch_2d_layered : abi::fetch_1d_layered;
    if (array.extent.depth) return abi::fetch_3d;
    return array.extent.height ? abi::fetch_2d : abi::fetch_1d;
}

constexpr const char* kinds[] = {"linear memory", "a 1D array",         "a 2D array",
                                 "a 3D array",    "a layered 1D array", "a layered 2D array",
                                 "a cubemap",     "a layered cubemap"};

const surface_object& usable(unsigned long long object, int function, const std::string& place) {
    const surface_object* const surface = find_surface(object);
    if (!surface) fault(cudaErrorIllegalAddress, place, "uses what is no surface object");
    if (surface->destroyed)
        fault(cudaErrorIllegalAddress, place, "uses a surface object that was destroyed");
    if (!surface->array->data)
        fault(cudaErrorIllegalAddress, place, "uses a surface of a CUDA array that was freed");
    const int wanted = function_for(*surface->array);
    if (function != wanted)
        fault(cudaErrorIllegalAddress, place,
              std::string("uses a function for ") + kinds[function] + " with a surface of " +
                  kinds[wanted]);
    return *surface;
}

}  // namespace

void watch_under_texture(const void* begin, size_t bytes) {
    if (!in_arena(begin)) return;
    textures_over_memory = true;
    unsigned char* const states = shadow_of(begin);
    for (size_t i = 0; i < bytes; ++i) states[i] |= abi::shadow_watched;
}
void note_write_under_texture(const void* p, size_t bytes) {
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

using namespace emulator;

extern "C" void __emu_surface(unsigned long long object, int function, const int* at, int mode,
                              int bytes, bool write, void* value, const char* file, int line) {
    const std::string place = place_text(file, line);
    texel_array& array = *usable(object, function, place).array;
    if (at[0] % bytes)
        fault(cudaErrorMisalignedAddress, place,
              "byte " + std::to_string(at[0]) + " of a row is no multiple of the " +
                  std::to_string(bytes) + " bytes of an element: x counts bytes");
    const bool lines = function == abi::fetch_1d || function == abi::fetch_1d_layered;
    const int64_t sizes[] = {int64_t(array.row_bytes()) / bytes, int64_t(array.rows()),
                             int64_t(array.slices())};
    int64_t element[] = {at[0] / bytes - (at[0] < 0 && at[0] % bytes), lines ? 0 : at[1], at[2]};
    for (int axis = 0; axis < 3; ++axis) {
        if (element[axis] >= 0 && element[axis] < sizes[axis]) continue;
        if (mode == cudaBoundaryModeTrap) {
            static constexpr const char* names[] = {"column", "row", "slice, layer or face"};
            fault(cudaErrorIllegalAddress, place,
                  std::string(write ? "writes " : "reads ") + names[axis] + " " +
                      std::to_string(element[axis]) + " of a surface with " +
                      std::to_string(sizes[axis]));
        }
        if (mode == cudaBoundaryModeZero) {
            if (!write) memset(value, 0, size_t(bytes));
            return;
        }
        element[axis] = element[axis] < 0 ? 0 : sizes[axis] - 1;
    }
    unsigned char* const begin =
        array.data + (size_t(element[2]) * array.rows() + size_t(element[1])) * array.row_bytes() +
        size_t(element[0]) * size_t(bytes);
    check_access(begin, bytes, write, [&] { return place; });
    check_global(begin, size_t(bytes), write, place_number(file, line));
    if (!write) {
        memcpy(value, begin, size_t(bytes));
        return;
    }
    memcpy(begin, value, size_t(bytes));
    const auto texel = size_t(array.format.texel_bytes());
    if (array.written.empty()) array.written.resize(array.bytes() / texel);
    for (size_t i = size_t(begin - array.data) / texel;
         i <= size_t(begin - array.data + bytes - 1) / texel; ++i)
        array.written[i] = current_running->serial;
}
