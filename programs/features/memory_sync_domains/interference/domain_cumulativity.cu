// Why does a fence have to wait for writes of other threads? Thread 1 writes x and
// tells thread 2, at device scope. Thread 2 tells the CPU, at system scope. The CPU
// must then see x, although thread 1 never spoke to it: the release of thread 2 covers
// what thread 1 wrote.

#include <chrono>
#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [words]
/// What GPU and CPU share, in pinned host memory, which is mapped.
struct shared_words {
    int x;     ///< data: plain
    int b;     ///< thread 2 to the CPU
    int next;  ///< the CPU to thread 1: rounds that it has checked
};

template <cuda::thread_scope Scope>
using word = cuda::atomic_ref<int, Scope>;
// [/words]

/// Waits until a word has a value, half a second at most.
template <class Word>
__device__ bool await(Word from, int value) {
    const unsigned long long begin = lockstep::now_ns();
    while (from.load(cuda::memory_order_acquire) != value)
        if (lockstep::now_ns() - begin > 500'000'000) return false;
    return true;
}

// [chain]
/// Two threads of two blocks, the first two in the chain.
/// @param rounds  how often
/// @param words   in pinned host memory
/// @param a       in device memory, 0 before
/// @param wrong   one int in device memory: times that thread 2 did not see x
__global__ void chain(int rounds, shared_words* words, int* a, int* wrong) {
    for (int round = 1; round <= rounds; ++round) {
        if (blockIdx.x == 0) {  // thread 1
            words->x = round;
            word<cuda::thread_scope_device>(*a).store(round,
                                                      cuda::memory_order_release);
            if (!await(word<cuda::thread_scope_system>(words->next), round)) return;
        } else {  // thread 2
            if (!await(word<cuda::thread_scope_device>(*a), round)) return;
            if (words->x != round) ++*wrong;
            word<cuda::thread_scope_system>(words->b).store(round,
                                                            cuda::memory_order_release);
        }
    }
}
// [/chain]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1000, 1, 10'000);
    options.finish();
    lockstep::require_device();
    lockstep::device_buffer<int> a(1), wrong(1);
    a.fill_bytes(0);
    wrong.fill_bytes(0);
    shared_words* words = nullptr;
    lockstep::check(cudaMallocHost(&words, sizeof *words));
    *words = {};
    lockstep::check(cudaDeviceSynchronize());
    chain<<<2, 1>>>(rounds, words, a.data(), wrong.data());
    lockstep::check(cudaGetLastError());

    // [cpu]
    int checked = 0, unseen = 0;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (checked < rounds && std::chrono::steady_clock::now() < limit) {
        const word<cuda::thread_scope_system> b(words->b);
        if (b.load(cuda::memory_order_acquire) != checked + 1) continue;
        ++checked;
        if (words->x != checked) ++unseen;  // thread 3
        word<cuda::thread_scope_system>(words->next)
            .store(checked, cuda::memory_order_release);
    }
    // [/cpu]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("rounds", checked);
    lockstep::report("x not seen by thread 2", wrong.to_host()[0]);
    lockstep::report("x not seen by the CPU", unseen);
    const bool right = checked == rounds && unseen == 0 && wrong.to_host()[0] == 0;
    lockstep::check(cudaFreeHost(words));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
