#pragma once
/// @file
/// Stops a stream until the host lets it go on, so that a program can look at a moment that would pass too fast.

#include <cuda_runtime.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ticks of the multiprocessor's clock after which a kernel at a gate gives up: about one second.
constexpr long long gate_patience = 2'000'000'000;

/// What the host and the kernel at a gate tell each other, in pinned host memory.
struct gate_state {
    volatile int open;     ///< the host sets it to 1
    volatile int passed;   ///< the kernel sets it to 1 when it saw the gate open
    volatile int gave_up;  ///< the kernel sets it to 1 when its patience ended first
};

/// Waits in one thread until the gate is open.
/// @param state     the gate's state, in pinned host memory
/// @param patience  ticks of the multiprocessor's clock after which it gives up
static __global__ void wait_at_gate(gate_state* state, long long patience) {
    const long long start = clock64();
    while (!state->open) {
        if (clock64() - start > patience) {
            state->gave_up = 1;
            return;
        }
    }
    state->passed = 1;
}

/// Loads kernels before their first launch.
///
/// CUDA loads a kernel when it is first launched, and may wait for running kernels to do so. A kernel that is to run
/// beside one that waits must therefore be loaded before.
///
/// @param kernels  the kernels, without chevrons
template <class... Kernels>
void load_kernels(Kernels... kernels) {
    cudaFuncAttributes attributes{};
    (check(cudaFuncGetAttributes(&attributes, kernels)), ...);
}

/// A gate in one stream: what was enqueued behind it begins only after open().
///
/// The wait ends by itself after a while; then gave_up() says so, and nothing that the program saw proves anything.
class gate {
public:
    /// Makes a closed gate that holds nothing yet.
    /// @param file  source file of the caller; leave it out
    /// @param line  source line of the caller; leave it out
    explicit gate(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        check(cudaMallocHost(&state_, sizeof(gate_state)), file, line);
        state_->open = state_->passed = state_->gave_up = 0;
        load_kernels(wait_at_gate);
    }
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() { cudaFreeHost(state_); }

    /// Enqueues a kernel of one thread that waits until the gate opens.
    /// @param stream    the stream to hold
    /// @param patience  ticks of the multiprocessor's clock after which it gives up
    void hold(cudaStream_t stream, long long patience = gate_patience) {
        wait_at_gate<<<1, 1, 0, stream>>>(state_, patience);
        check(cudaGetLastError());
    }

    /// Lets the stream go on. Calls no CUDA function.
    void open() { state_->open = 1; }

    /// Whether the kernel at the gate has not left yet; true before hold() as well.
    bool closed() const { return !state_->passed && !state_->gave_up; }

    /// Whether the kernel at the gate lost its patience.
    bool gave_up() const { return state_->gave_up != 0; }

private:
    gate_state* state_ = nullptr;
};

}  // namespace lockstep
