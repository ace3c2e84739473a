// Variables of the device's side, by the host's names.

#include "captures.hpp"
#include "copies.hpp"
#include "error_log.hpp"

using namespace emulator;

static managed_variable variable_of(
    const void* shadow) {  // its place is null if there is none such
    for (int i = 0; i < __emu_variable_count; ++i)
        if (__emu_variables[i].shadow == shadow)
            return {__emu_variables[i].place, __emu_variables[i].size};
    const managed_variable* managed = __emu_managed;  // of these, both sides see the same
    while (managed->place && managed->place != shadow) ++managed;
    return *managed;
}

static cudaError_t symbol_range(const void* symbol, size_t offset, size_t bytes,
                                unsigned char** place) {
    const managed_variable variable = variable_of(symbol);
    if (!variable.place) return cudaErrorInvalidSymbol;
    if (offset > *variable.size || bytes > *variable.size - offset) return cudaErrorInvalidValue;
    *place = static_cast<unsigned char*>(variable.place) + offset;
    return cudaSuccess;
}

// Copies between a symbol and other memory, in the order of a stream. `act` gets the symbol's
// place.
template <class F>
static cudaError_t with_symbol(const void* symbol, size_t bytes, size_t offset, bool direction,
                               cudaStream_t handle, F&& act) {
    return in_stream(handle, [=](device_stream& stream) {
        if (!direction) return cudaErrorInvalidMemcpyDirection;
        unsigned char* place = nullptr;
        const cudaError_t error = symbol_range(symbol, offset, bytes, &place);
        return error == cudaSuccess ? act(place, stream) : error;
    });
}
static cudaError_t to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                             cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
    return with_symbol(symbol, bytes, offset,
                       kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyHostToHost, handle,
                       [=](unsigned char* place, device_stream& stream) {
                           return copy(place, bytes, from, bytes, bytes, 1, kind, stream, wait);
                       });
}
static cudaError_t from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                               cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
    return with_symbol(symbol, bytes, offset,
                       kind != cudaMemcpyHostToDevice && kind != cudaMemcpyHostToHost, handle,
                       [=](unsigned char* place, device_stream& stream) {
                           return copy(to, bytes, place, bytes, bytes, 1, kind, stream, wait);
                       });
}

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    return to_symbol(symbol, from, bytes, offset, kind, nullptr, true);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t handle) {
    return to_symbol(symbol, from, bytes, offset, kind, handle, false);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    return from_symbol(to, symbol, bytes, offset, kind, nullptr, true);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t handle) {
    return from_symbol(to, symbol, bytes, offset, kind, handle, false);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return enter([=] {
        if (!pointer) return cudaErrorInvalidValue;
        const managed_variable variable = variable_of(symbol);
        if (!variable.place) return log_reason(cudaErrorInvalidSymbol);
        *pointer = variable.place;
        return cudaSuccess;
    });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return enter([=] {
        if (!bytes) return cudaErrorInvalidValue;
        const managed_variable variable = variable_of(symbol);
        if (!variable.place) return cudaErrorInvalidSymbol;
        *bytes = *variable.size;
        return cudaSuccess;
    });
}

}  // extern "C"
