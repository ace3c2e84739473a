// Two kernels, one on each GPU, run at the same time and communicate: one stores a
// message and a flag at system scope, the other waits for the flag. Then both GPUs add
// to one counter.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What both GPUs share, in the memory of device 0.
struct shared_state {
    int message;
    int flag;
    unsigned long long count;
};

using flag_ref = cuda::atomic_ref<int, cuda::thread_scope_system>;
using count_ref = cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>;

// [kernels]
/// Stores a message, then raises the flag.
/// @param state  in memory that both GPUs reach, written
__global__ void send(shared_state* state) {
    state->message = 42;
    flag_ref(state->flag).store(1, cuda::memory_order_release);
}

/// Waits for the flag, for a while, and reads the message.
/// @param state  in memory that both GPUs reach, read
/// @param found  one int in memory of the device that runs it, written
__global__ void receive(shared_state* state, int* found) {
    *found = -1;
    for (int attempt = 0; attempt < 10'000'000; ++attempt)
        if (flag_ref(state->flag).load(cuda::memory_order_acquire) == 1) {
            *found = state->message;
            return;
        }
}

/// Counts, from every thread.
/// @param state  in memory that both GPUs reach; its count is increased
__global__ void count(shared_state* state) {
    for (int i = 0; i < 100; ++i)
        count_ref(state->count).fetch_add(1, cuda::memory_order_relaxed);
}
// [/kernels]

int main() {
    lockstep::require_device(0, 2);

    shared_state* state = nullptr;
    int* found = nullptr;
    lockstep::check(cudaSetDevice(0));
    lockstep::check(cudaMalloc(&state, sizeof *state));
    lockstep::check(cudaMemset(state, 0, sizeof *state));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaDeviceEnablePeerAccess(0, 0));
    lockstep::check(cudaMalloc(&found, sizeof *found));
    // [launch]
    receive<<<1, 1>>>(state, found);  // device 1 waits
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaSetDevice(0));
    send<<<1, 1>>>(state);
    lockstep::check(cudaGetLastError());
    constexpr int blocks = 132;  // one for each SM of an H200; any number is right
    constexpr int threads = 256;
    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        count<<<blocks, threads>>>(state);
        lockstep::check(cudaGetLastError());
    }
    // [/launch]
    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaDeviceSynchronize());
    }
    int message = 0;
    shared_state host{};
    lockstep::check(cudaMemcpy(&message, found, sizeof message, cudaMemcpyDefault));
    lockstep::check(cudaMemcpy(&host, state, sizeof host, cudaMemcpyDefault));
    constexpr unsigned long long expected = 2ull * blocks * threads * 100;
    lockstep::report("the other GPU received", message);
    lockstep::report("both counted", host.count);
    lockstep::report("expected", expected);
    lockstep::check(cudaFree(found));
    lockstep::check(cudaFree(state));
    return message == 42 && host.count == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
