#pragma once
/// @file
/// An event that destroys itself.

#include <utility>

#include <lockstep/check.hpp>

namespace lockstep {

/// Owns an event of the current device. Moves, never copies; may stand wherever a call
/// takes an event.
class owned_event {
public:
    /// @param flags       cudaEventDefault for one that takes the time,
    ///                    cudaEventDisableTiming for one that only orders work
    /// @param file, line  place of the caller; leave them out
    explicit owned_event(unsigned flags = cudaEventDefault,
                         const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) {
        check(cudaEventCreateWithFlags(&handle_, flags), file, line);
    }
    /// Takes the event over; `other` is left without one.
    owned_event(owned_event&& other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)) {}
    owned_event& operator=(owned_event&&) = delete;  // and so no copy
    ~owned_event() {
        if (handle_) cudaEventDestroy(handle_);
    }

    /// The handle that calls of the runtime take; this object goes on owning it.
    operator cudaEvent_t() const { return handle_; }

private:
    cudaEvent_t handle_ = nullptr;
};

}  // namespace lockstep
