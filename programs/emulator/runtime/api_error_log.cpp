// The functions of the error log, of the driver API and of the runtime API.

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "entry.hpp"
#include "error_log.hpp"

using namespace emulator;

namespace {

constexpr size_t most_bytes = 25600;  // of a dump

CUresult refused_call(const char* function, const char* reason) {
    log_refusal_by(function, cudaErrorInvalidValue, reason);
    return CUDA_ERROR_INVALID_VALUE;
}

// A GPU would not refuse this, nor log anything.
CUresult lacking() {
    failure_is_known();
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult dump_to_memory(CUlogIterator* place, char* buffer, size_t* size) {
    constexpr char function[] = "cuLogsDumpToMemory";
    if (!buffer) return refused_call(function, "buffer cannot be NULL");
    if (!size) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    if (*size < most_bytes) {
        fflush(stdout);
        fprintf(stderr, "emulator: %s: the emulator lacks dumps to less than %zu bytes\n", function,
                most_bytes);
        return lacking();
    }
    if (!dump_log(function, place, &text)) return lacking();
    if (text.size() >= *size) text.resize(*size - 1);
    memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    return CUDA_SUCCESS;
}

CUresult dump_to_file(CUlogIterator* place, const char* name) {
    constexpr char function[] = "cuLogsDumpToFile";
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    if (!dump_log(function, place, &text)) return lacking();
    std::FILE* file = fopen(name, "w");
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    fputs(text.c_str(), file);
    fclose(file);
    return CUDA_SUCCESS;
}

// Also after an error that is the end of the context.
template <class F>
CUresult in_log(F&& body) {
    entry_lock lock;
    (void)lock;
    if (!driver_initialized) return CUDA_ERROR_NOT_INITIALIZED;
    const CUresult result = body();
    note_failure(cudaError_t(result));
    return result;
}
template <class F>
cudaError_t by_log(F&& twin) {
    driver_initialized = true;
    const uint64_t before = unknown_failures();
    const CUresult result = twin();
    if (unknown_failures() == before) failure_is_known();
    return remember(cudaError_t(result));
}

}  // namespace

extern "C" {

CUresult cuLogsRegisterCallback(CUlogsCallback function, void* data, CUlogsCallbackHandle* made) {
    return in_log([=] {
        if (!function || !made) return CUDA_ERROR_INVALID_VALUE;
        *made = log_callbacks.add(std::make_shared<log_callback>(log_callback{function, data}));
        return CUDA_SUCCESS;
    });
}
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return in_log(
        [=] { return log_callbacks.remove(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; });
}
CUresult cuLogsCurrent(CUlogIterator* place, unsigned) {  // which looks at no flags
    return in_log([=] {
        if (!place) return CUDA_ERROR_INVALID_VALUE;
        *place = CUlogIterator(log_end());
        return CUDA_SUCCESS;
    });
}
CUresult cuLogsDumpToMemory(CUlogIterator* place, char* buffer, size_t* size, unsigned flags) {
    return in_log(
        [=] { return flags ? CUDA_ERROR_INVALID_VALUE : dump_to_memory(place, buffer, size); });
}
CUresult cuLogsDumpToFile(CUlogIterator* place, const char* name, unsigned flags) {
    return in_log([=] { return flags ? CUDA_ERROR_INVALID_VALUE : dump_to_file(place, name); });
}

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t function, void* data,
                                     cudaLogsCallbackHandle* made) {
    return by_log([=] {
        return cuLogsRegisterCallback(reinterpret_cast<CUlogsCallback>(function), data, made);
    });
}
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
    return by_log([=] { return cuLogsUnregisterCallback(handle); });
}
cudaError_t cudaLogsCurrent(cudaLogIterator* place, unsigned flags) {
    return by_log([=] { return cuLogsCurrent(place, flags); });
}
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* place, char* buffer, size_t* size,
                                 unsigned flags) {
    return by_log([=] { return cuLogsDumpToMemory(place, buffer, size, flags); });
}
cudaError_t cudaLogsDumpToFile(cudaLogIterator* place, const char* name, unsigned flags) {
    return by_log([=] { return cuLogsDumpToFile(place, name, flags); });
}

}  // extern "C"
