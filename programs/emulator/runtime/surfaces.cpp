// Reads and writes through surface objects.

#include <cstring>

#include "accesses.hpp"
#include "faults.hpp"
#include "global_races.hpp"
#include "memory.hpp"
#include "running_launch.hpp"
#include "textures.hpp"

namespace emulator {

namespace {

constexpr const char* kinds[] = {"linear memory", "a 1D array",         "a 2D array",
                                 "a 3D array",    "a layered 1D array", "a layered 2D array",
                                 "a cubemap",     "a layered cubemap"};

const surface_object& usable(unsigned long long object, int function, const code_place& at) {
    const surface_object* const surface = find_surface(object);
    const auto wrong = [&](const std::string& what) {
        fault(cudaErrorIllegalAddress, place_text(at.file, at.line), what);
    };
    if (!surface) wrong("uses what is no surface object");
    if (surface->destroyed) wrong("uses a surface object that was destroyed");
    if (!surface->array->data) wrong("uses a surface of a CUDA array that was freed");
    const int wanted = function_for(*surface->array);
    if (function != wanted)
        wrong(std::string("uses a function for ") + kinds[function] + " with a surface of " +
              kinds[wanted]);
    return *surface;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" void __emu_surface(unsigned long long object, int function, const int* at, int mode,
                              int bytes, bool write, void* value, const char* file, int line) {
    texel_array& array = *usable(object, function, {file, line}).array;
    const auto place = [=] { return place_text(file, line); };
    if (at[0] % bytes)
        fault(cudaErrorMisalignedAddress, place(),
              "byte " + std::to_string(at[0]) + " of a row is no multiple of the " +
                  std::to_string(bytes) + " bytes of an element: x counts bytes");
    const bool lines = function == abi::fetch_1d || function == abi::fetch_1d_layered;
    const int64_t sizes[] = {int64_t(array.row_bytes()) / bytes, int64_t(array.rows()),
                             int64_t(array.slices())};
    int64_t element[] = {at[0] / bytes, lines ? 0 : at[1], at[2]};
    for (int axis = 0; axis < 3; ++axis) {
        if (element[axis] >= 0 && element[axis] < sizes[axis]) continue;
        if (mode == cudaBoundaryModeTrap) {
            static constexpr const char* names[] = {"column", "row", "slice, layer or face"};
            fault(cudaErrorIllegalAddress, place(),
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
    check_access(begin, bytes, write, place);
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
