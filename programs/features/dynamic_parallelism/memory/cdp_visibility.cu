// What of its parent's memory does a child see? What the launching thread wrote or had
// made visible to it, as by a barrier of the block, before the launch. And what does
// the parent see of the child? Nothing that it may rely on; only a tail does.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

// [kernels]
/// Adds 1000 to each element; one block of n threads.
/// @param x  n ints in device memory, read
/// @param y  n ints in device memory, written
__global__ void child(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x] + 1000; }

/// Copies what it sees of the child's result; one block of n threads.
/// @param y     n ints in device memory
/// @param seen  n ints in device memory, written
__global__ void tail(const int* y, int* seen) { seen[threadIdx.x] = y[threadIdx.x]; }

/// Fills x, most threads late, and launches; one block of n threads.
/// @param barrier  whether the block synchronizes before the launch
/// @param x        n ints in device memory, written
/// @param y        the same, for the child
/// @param at_once  the same, written: what the parent itself sees of y
/// @param seen     the same, for the tail
__global__ void parent(bool barrier, int* x, int* y, int* at_once, int* seen) {
    const unsigned i = threadIdx.x;
    if (!barrier && i >= 32) lockstep::busy_wait(200'000);  // other warps are late
    x[i] = static_cast<int>(i);
    if (barrier) __syncthreads();
    if (i == 0) {
        child<<<1, n>>>(x, y);
        tail<<<1, n, 0, cudaStreamTailLaunch>>>(y, seen);
    }
    at_once[i] = *static_cast<volatile int*>(y + i);  // wrong: nothing orders this
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(n), d_y(n), d_at_once(n), d_seen(n);
    bool right = true;
    for (const bool barrier : {true, false}) {
        std::vector<int> results, at_once;
        for (int run = 0; run < 2; ++run) {  // the first loads the kernels
            for (auto* buffer : {&d_x, &d_y, &d_at_once, &d_seen})
                buffer->fill_bytes(0xFF);
            parent<<<1, n>>>(barrier, d_x.data(), d_y.data(), d_at_once.data(),
                             d_seen.data());
            lockstep::check(cudaGetLastError());
            results = d_seen.to_host();
            at_once = d_at_once.to_host();
        }
        int stale = 0, early = 0;
        for (int i = 0; i < n; ++i) {
            stale += results[i] != i + 1000;
            early += at_once[i] != -1;
        }
        if (barrier) {
            lockstep::report("with barrier: stale", stale);
            lockstep::report("  early, by running parent", lockstep::counted{early});
            right &= stale == 0;
        } else {
            lockstep::report("without barrier: stale", lockstep::counted{stale});
            right &= results[0] == 1000;  // the launching thread's own element
        }
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
