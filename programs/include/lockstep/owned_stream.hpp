#pragma once
/// @file
/// A stream that destroys itself.

#include <utility>

#include <lockstep/check.hpp>

namespace lockstep {

/// Owns a stream of the current device. Moves, never copies; may stand wherever a call
/// takes a stream.
class owned_stream {
public:
    /// @param flags       cudaStreamNonBlocking, unless it is to wait for the legacy
    ///                    default stream
    /// @param file, line  place of the caller; leave them out
    explicit owned_stream(unsigned flags = cudaStreamNonBlocking,
                          const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
        check(cudaStreamCreateWithFlags(&handle_, flags), file, line);
    }
    /// Takes the stream over; `other` is left without one.
    owned_stream(owned_stream&& other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)) {}
    owned_stream& operator=(owned_stream&&) = delete;  // and so no copy
    ~owned_stream() {
        if (handle_) cudaStreamDestroy(handle_);
    }

    /// The handle that calls of the runtime take; this object goes on owning it.
    operator cudaStream_t() const { return handle_; }

private:
    cudaStream_t handle_ = nullptr;
};

}  // namespace lockstep
