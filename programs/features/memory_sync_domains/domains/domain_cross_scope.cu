// Two kernels in different domains hand data over while both run. What does that take?
// System scope: a fence in one domain does not cover the writes of the other, unless
// they were ordered for the whole system. The program also counts what happens with
// device scope, which is a bug here.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256, rounds = 1000;

/// What the two kernels share, in device memory.
struct mailbox {
    int data[n];  ///< plain, written by the producer
    int sent;     ///< the producer's round
    int read;     ///< the consumer's round
    int stale;    ///< elements that were not of the round
    int done;     ///< rounds that the consumer has read
};

/// Waits in one thread until a word has a value, half a second at most.
template <class Word>
__device__ bool await(Word from, int value) {
    const unsigned long long begin = lockstep::now_ns();
    while (from.load(cuda::memory_order_acquire) != value)
        if (lockstep::now_ns() - begin > 500'000'000) return false;
    return true;
}

// [kernels]
/// Writes n numbers in each round, and waits until they were read.
/// @tparam Scope  of all atomics
/// @param box     in device memory
template <cuda::thread_scope Scope>
__global__ void produce(mailbox* box) {
    const cuda::atomic_ref<int, Scope> sent(box->sent), read(box->read);
    for (int round = 1; round <= rounds; ++round) {
        box->data[threadIdx.x] = round;
        __syncthreads();
        bool go_on = true;
        if (threadIdx.x == 0) {
            sent.store(round, cuda::memory_order_release);
            go_on = await(read, round);
        }
        if (!__syncthreads_and(go_on)) return;
    }
}

/// Waits for each round, and counts the numbers that are not of it.
/// @tparam Scope  of all atomics
/// @param box     in device memory
template <cuda::thread_scope Scope>
__global__ void consume(mailbox* box) {
    const cuda::atomic_ref<int, Scope> sent(box->sent), read(box->read);
    for (int round = 1; round <= rounds; ++round) {
        bool go_on = true;
        if (threadIdx.x == 0) go_on = await(sent, round);
        if (!__syncthreads_and(go_on)) return;
        const int stale = __syncthreads_count(box->data[threadIdx.x] != round);
        if (threadIdx.x == 0) {
            box->stale += stale;
            box->done = round;
            read.store(round, cuda::memory_order_release);
        }
    }
}
// [/kernels]

/// Launches one block into a domain.
void launch_in(cudaLaunchMemSyncDomain domain, cudaStream_t stream,
               void (*kernel)(mailbox*), mailbox* box) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    attribute.val.memSyncDomain = domain;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(n);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    lockstep::check(cudaLaunchKernelEx(&config, kernel, box));
}

/// Runs both kernels, each in its own domain.
template <cuda::thread_scope Scope>
mailbox hand_over() {
    const lockstep::owned_stream first, second;
    lockstep::device_buffer<mailbox> box(1);
    box.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [launches]
    // loading a kernel can wait for running ones, so both are loaded first
    lockstep::load_kernels(produce<Scope>, consume<Scope>);
    launch_in(cudaLaunchMemSyncDomainRemote, first, produce<Scope>, box.data());
    launch_in(cudaLaunchMemSyncDomainDefault, second, consume<Scope>, box.data());
    lockstep::check(cudaDeviceSynchronize());
    // [/launches]
    return box.to_host()[0];
}

int main() {
    lockstep::require_device(90);
    const mailbox system = hand_over<cuda::thread_scope_system>();
    const mailbox device = hand_over<cuda::thread_scope_device>();
    lockstep::report("system scope: rounds", system.done);
    lockstep::report("system scope: stale", system.stale);
    lockstep::report("device scope: rounds", lockstep::counted{device.done});
    lockstep::report("device scope: stale", lockstep::counted{device.stale});
    return system.done == rounds && system.stale == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
