// How do CPU and GPU hand values to each other through managed memory? With semaphores
// of system scope, where concurrent managed access is 1. The CPU fills a slot and
// releases one semaphore, and the kernel takes what the slot holds; a second semaphore
// says that the slot is free.

#include <chrono>
#include <cstdlib>

#include <cuda/semaphore>

#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [slot]
using semaphore = cuda::counting_semaphore<cuda::thread_scope_system>;

/// A slot for one value, in managed memory.
struct slot {
    semaphore full{0};
    semaphore empty{1};
    int value = 0;
    int sum = 0;  // what the kernel took
};
// [/slot]

// [kernel]
/// Takes values out of the slot.
/// @param shared    the slot
/// @param messages  how many values will come
/// @param patience  clock ticks to wait for each at most
__global__ void take(slot* shared, int messages, long long patience) {
    for (int i = 0; i < messages; ++i) {
        const long long begin = clock64();
        while (!shared->full.try_acquire())
            if (clock64() - begin > patience) return;
        shared->sum += shared->value;
        shared->empty.release();
    }
}
// [/kernel]

int main() {
    lockstep::require_device(70);
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    lockstep::report("concurrent managed access", concurrent);
    if (!concurrent) return EXIT_SUCCESS;
    void* memory = nullptr;
    lockstep::check(cudaMallocManaged(&memory, sizeof(slot)));
    slot* shared = new (memory) slot;

    lockstep::load_kernels(take);
    const auto begin = std::chrono::steady_clock::now();
    // [cpu]
    constexpr int messages = 20;
    take<<<1, 1>>>(shared, messages, 2'000'000'000);
    lockstep::check(cudaGetLastError());
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    int sent = 0;
    while (sent < messages && std::chrono::steady_clock::now() < give_up) {
        if (!shared->empty.try_acquire()) continue;  // the kernel has not taken it yet
        shared->value = ++sent;
        shared->full.release();
    }
    // [/cpu]
    lockstep::check(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> us =
        std::chrono::steady_clock::now() - begin;
    lockstep::report("messages sent", sent);
    lockstep::report("sum of what arrived", shared->sum);
    lockstep::report("time per message", lockstep::measured{us.count() / messages},
                     "us");
    const bool right = shared->sum == messages * (messages + 1) / 2;
    lockstep::check(cudaFree(memory));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
