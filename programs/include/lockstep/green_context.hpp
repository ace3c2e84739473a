#pragma once
/// @file
/// A green context with a stream, which destroy themselves.

#include <utility>

#include <cuda_runtime_api.h>

#include <lockstep/check.hpp>
#include <lockstep/driver.hpp>

namespace lockstep {

/// All SMs of device 0, as the resource that splits begin with.
///
/// Initializes the primary context first, which green contexts are parts of.
inline CUdevResource all_sms() {
    check(cudaSetDevice(0));
    CUdevResource sms{};
    check(cuDeviceGetDevResource(0, &sms, CU_DEV_RESOURCE_TYPE_SM));
    return sms;
}

/// Owns a green context of device 0 and one stream of it. Moves, never copies; may
/// stand wherever a call takes the green context.
class green_context {
public:
    /// Creates the context and its stream.
    /// @param resources  SM resources of one split, one after another
    /// @param count      how many resources
    /// @param file, line  place of the caller; leave them out
    explicit green_context(CUdevResource* resources, unsigned count = 1,
                           const char* file = __builtin_FILE(),
                           int line = __builtin_LINE()) {
        CUdevResourceDesc descriptor = nullptr;
        check(cuDevResourceGenerateDesc(&descriptor, resources, count), file, line);
        check(cuGreenCtxCreate(&handle_, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM),
              file, line);
        check(cuGreenCtxStreamCreate(&stream_, handle_, CU_STREAM_NON_BLOCKING, 0),
              file, line);
    }
    /// Takes the context over; `other` is left without one.
    green_context(green_context&& other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)),
          stream_(std::exchange(other.stream_, nullptr)) {}
    green_context& operator=(green_context&&) = delete;  // and so no copy
    ~green_context() {
        if (!handle_) return;
        cuStreamDestroy(stream_);  // before its context
        cuGreenCtxDestroy(handle_);
    }

    /// The handle that calls of the driver API take; this object goes on owning it.
    operator CUgreenCtx() const { return handle_; }
    /// Its stream, for calls of the runtime and of the driver API.
    CUstream stream() const { return stream_; }

private:
    CUgreenCtx handle_ = nullptr;
    CUstream stream_ = nullptr;
};

}  // namespace lockstep
