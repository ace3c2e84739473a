// What becomes of an object that a launch passes to a kernel? The host copies it with
// the copy constructor, and destroys its copies, while the kernel still runs. What the
// kernel receives is a copy of the bytes, made without any constructor.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [object]
/// An object that knows its own address and counts its copies on the host.
struct traced {
    traced() : self(this) {}
    traced(const traced& /*other*/) : self(this) { ++copies; }
    traced& operator=(const traced&) = delete;
    ~traced() { ++destroyed; }

    const traced* self;
    static inline int copies = 0;
    static inline int destroyed = 0;
};
// [/object]

/// An int that the CPU and the GPU may access at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

/// What the kernel found.
struct findings {
    int flag_seen;  ///< 1 if the host set the flag while the kernel ran, else 0
    int self_is_own;  ///< 1 if `self` is the address of the kernel's object, else 0
};

// [kernel]
/// Waits until the host sets the flag, or gives up after `patience` clock cycles, then
/// looks at the object.
/// @param object    the argument
/// @param flag      one int in page-locked host memory
/// @param patience  cycles of the SM's clock
/// @param found     one struct in page-locked host memory, written
__global__ void look(traced object, int* flag, long long patience, findings* found) {
    const shared_int set(*flag);
    const long long start = clock64();
    while (set.load(cuda::memory_order_relaxed) == 0 && clock64() - start < patience) {
    }
    found->flag_seen = set.load(cuda::memory_order_relaxed);
    found->self_is_own = object.self == &object;
}
// [/kernel]

int main() {
    lockstep::require_device();
    int* flag = nullptr;
    findings* found = nullptr;
    lockstep::check(cudaMallocHost(&flag, sizeof *flag));
    lockstep::check(cudaMallocHost(&found, sizeof *found));
    *flag = 0;
    *found = {-1, -1};

    // [launch]
    const traced object;
    look<<<1, 1>>>(object, flag, 500'000'000, found);
    lockstep::check(cudaGetLastError());
    const int copied = traced::copies;  // the kernel waits for the flag
    const int ended = traced::destroyed;
    shared_int(*flag).store(1, cuda::memory_order_relaxed);
    lockstep::check(cudaDeviceSynchronize());
    // [/launch]

    const findings seen = *found;
    lockstep::check(cudaFreeHost(flag));
    lockstep::check(cudaFreeHost(found));
    lockstep::report("kernel still ran", seen.flag_seen == 1);
    lockstep::report("copies made by the host", copied);
    lockstep::report("copies already destroyed", ended);
    lockstep::report("kernel: self == &object", seen.self_is_own == 1);
    const bool as_told =
        seen.flag_seen == 1 && copied >= 1 && ended == copied && seen.self_is_own == 0;
    return as_told ? EXIT_SUCCESS : EXIT_FAILURE;
}
