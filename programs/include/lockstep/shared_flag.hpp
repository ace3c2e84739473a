#pragma once
/// @file
/// A flag that the CPU and the GPU both read and write.

#include <cuda/atomic>

namespace lockstep {

/// A flag for pinned host memory. Its order is relaxed, since it publishes no other
/// data.
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

}  // namespace lockstep
