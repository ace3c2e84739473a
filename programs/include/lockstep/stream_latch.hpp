#pragma once
/// @file
/// Holds a stream until the host lets it go on, so that a program can look at a moment
/// that would pass too fast.

#include <cuda_runtime.h>

#include <lockstep/check.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/shared_flag.hpp>

namespace lockstep {

/// Clock cycles of the SM after which a kernel at a latch gives up: about one second.
constexpr long long latch_patience = 2'000'000'000;

/// What the host and the kernel at a latch tell each other, in pinned host memory.
struct latch_state {
    shared_flag open;     ///< raised by the host
    shared_flag passed;   ///< raised by the kernel when it saw the latch open
    shared_flag gave_up;  ///< raised by the kernel when its patience ended first
};

/// Waits in one thread until the latch is open.
/// @param state     the latch's state, in pinned host memory
/// @param patience  clock cycles of the SM after which it gives up
static __global__ void wait_at_latch(latch_state* state, long long patience) {
    const long long start = clock64();
    while (!state->open.raised()) {
        if (clock64() - start > patience) {
            state->gave_up.raise();
            return;
        }
    }
    state->passed.raise();
}

/// A latch in one stream: what is enqueued after hold() begins only after open(). The
/// wait ends by itself after a while; then gave_up() says so, and what the program saw
/// proves nothing.
class stream_latch {
public:
    /// Makes a closed latch that holds nothing yet.
    explicit stream_latch(const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
        check(cudaMallocHost(&state_, sizeof(latch_state)), file, line);
        *state_ = latch_state{};
        load_kernels(wait_at_latch);
    }
    stream_latch& operator=(stream_latch&&) = delete;  // and so no copy
    ~stream_latch() { cudaFreeHost(state_); }

    /// Enqueues a kernel of one thread that waits until the latch opens.
    /// @param stream      the stream to hold
    /// @param patience    clock cycles of the SM after which it gives up
    /// @param file, line  place of the caller; leave them out
    void hold(cudaStream_t stream, long long patience = latch_patience,
              const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        wait_at_latch<<<1, 1, 0, stream>>>(state_, patience);
        check(cudaGetLastError(), file, line);
    }
    /// Lets the stream go on. Calls no CUDA function.
    void open() { state_->open.raise(); }

    /// Whether the kernel at the latch still waits; true before hold() as well.
    bool closed() const {
        return !state_->passed.raised() && !state_->gave_up.raised();
    }
    /// Whether the kernel at the latch lost its patience.
    bool gave_up() const { return state_->gave_up.raised(); }

private:
    latch_state* state_ = nullptr;
};

}  // namespace lockstep
