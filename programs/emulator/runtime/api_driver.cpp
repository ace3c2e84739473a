// The functions of the driver API that programs ask for by name.

#include <cstdio>
#include <cstring>

#include "entry.hpp"
#include "memory.hpp"
#include "properties.hpp"

namespace {

using namespace emulator;

int driver_context_state(int, unsigned* flags, int* active) {
    *flags = 0;
    *active = context_exists();
    return 0;
}
int driver_current_context(void** found) {
    static char context;
    *found = context_exists() ? &context : nullptr;
    return 0;
}
int driver_device(int* device, int number) {
    *device = number;
    return number == 0 ? 0 : int(cudaErrorInvalidDevice);
}
int driver_name(char* name, int length, int) {
    snprintf(name, size_t(length), "%s", properties().name);
    return 0;
}
int driver_attribute(int* value, int which, int) {
    return attribute(value, cudaDeviceAttr(which)) ? 0 : int(cudaErrorInvalidValue);
}
int driver_memory(size_t* bytes, int) {
    *bytes = properties().totalGlobalMem;
    return 0;
}
int driver_fill(uintptr_t place, unsigned value, size_t count) {
    for (size_t i = 0; i < count; ++i) memcpy(reinterpret_cast<char*>(place) + 4 * i, &value, 4);
    mark_initialized(reinterpret_cast<void*>(place), 4 * count);
    return 0;
}
const struct {
    const char* name;
    void* function;
} driver_functions[] = {
    {"cuDevicePrimaryCtxGetState", reinterpret_cast<void*>(driver_context_state)},
    {"cuCtxGetCurrent", reinterpret_cast<void*>(driver_current_context)},
    {"cuDeviceGet", reinterpret_cast<void*>(driver_device)},
    {"cuDeviceGetName", reinterpret_cast<void*>(driver_name)},
    {"cuDeviceGetAttribute", reinterpret_cast<void*>(driver_attribute)},
    {"cuDeviceTotalMem", reinterpret_cast<void*>(driver_memory)},
    {"cuMemsetD32", reinterpret_cast<void*>(driver_fill)},
};

}  // namespace

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
    return look([=] {
        if (!name || !function) return cudaErrorInvalidValue;
        *function = nullptr;
        for (const auto& known : driver_functions)
            if (strcmp(known.name, name) == 0) *function = known.function;
        if (result)
            *result = *function ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
        return *function ? cudaSuccess : cudaErrorSymbolNotFound;
    });
}

}  // extern "C"
