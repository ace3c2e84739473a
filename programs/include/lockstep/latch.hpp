#pragma once
/// @file
/// Holds a stream until the host lets it go on, so that a program can look at a moment
/// that would pass too fast.

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ticks of the multiprocessor's clock after which a kernel at a latch gives up: about
/// one second.
constexpr long long latch_patience = 2'000'000'000;

/// A flag in pinned host memory that the CPU and the GPU both read and write.
///
/// Its order is relaxed, since it publishes no other data.
class shared_flag {
public:
    /// Whether it was raised.
    __host__ __device__ bool raised() const {
        return view(word_).load(cuda::memory_order_relaxed) != 0;
    }
    /// Raises it.
    __host__ __device__ void raise() {
        view(word_).store(1, cuda::memory_order_relaxed);
    }

private:
    using view = cuda::atomic_ref<int, cuda::thread_scope_system>;
    mutable int word_ = 0;  // loading through a view needs an int that is not const
};

/// What the host and the kernel at a latch tell each other, in pinned host memory.
struct latch_state {
    shared_flag open;     ///< raised by the host
    shared_flag passed;   ///< raised by the kernel when it saw the latch open
    shared_flag gave_up;  ///< raised by the kernel when its patience ended first
};

/// Waits in one thread until the latch is open.
/// @param state     the latch's state, in pinned host memory
/// @param patience  ticks of the multiprocessor's clock after which it gives up
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

/// Loads kernels before their first launch.
///
/// CUDA loads a kernel when it is first launched, and may wait for running kernels to
/// do so. A kernel that is to run beside one that waits must therefore be loaded
/// before.
///
/// @param kernels  the kernels, without an execution configuration
template <class... Kernels>
void load_kernels(Kernels... kernels) {
    cudaFuncAttributes attributes{};
    (check(cudaFuncGetAttributes(&attributes, kernels)), ...);
}

/// A latch in one stream: what is enqueued after it begins only after open().
///
/// The wait ends by itself after a while; then gave_up() says so, and nothing that the
/// program saw proves anything.
class latch {
public:
    /// Makes a closed latch that holds nothing yet.
    /// @param file  source file of the caller; leave it out
    /// @param line  source line of the caller; leave it out
    explicit latch(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        check(cudaMallocHost(&state_, sizeof(latch_state)), file, line);
        *state_ = latch_state{};
        load_kernels(wait_at_latch);
    }
    latch& operator=(latch&&) = delete;  // and so no copy
    ~latch() { cudaFreeHost(state_); }

    /// Enqueues a kernel of one thread that waits until the latch opens.
    /// @param stream    the stream to hold
    /// @param patience  ticks of the multiprocessor's clock after which it gives up
    /// @param file      source file of the caller; leave it out
    /// @param line      source line of the caller; leave it out
    void hold(cudaStream_t stream, long long patience = latch_patience,
              const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        wait_at_latch<<<1, 1, 0, stream>>>(state_, patience);
        check(cudaGetLastError(), file, line);
    }

    /// Lets the stream go on. Calls no CUDA function.
    void open() { state_->open.raise(); }

    /// Whether the kernel at the latch has not left yet; true before hold() as well.
    bool closed() const {
        return !state_->passed.raised() && !state_->gave_up.raised();
    }

    /// Whether the kernel at the latch lost its patience.
    bool gave_up() const { return state_->gave_up.raised(); }

private:
    latch_state* state_ = nullptr;
};

}  // namespace lockstep
