// Errors: the last one, names and descriptions.

#include "entry.hpp"
#include "error_texts.hpp"
#include "unseen_errors.hpp"

using namespace emulator;

extern "C" {

cudaError_t cudaGetLastError() {
    entry_lock lock;
    (void)lock;
    errors_were_seen();
    return taken_last_error();
}
cudaError_t cudaPeekAtLastError() {
    entry_lock lock;
    (void)lock;
    errors_were_seen();
    return last_error_seen();
}
const char* cudaGetErrorName(cudaError_t error) {
    for (const error_name* entry = __emu_error_names; entry->name; ++entry)
        if (entry->number == int(error)) return entry->name;
    return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) { return description(error); }

}  // extern "C"
