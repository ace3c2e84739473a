// The L1 caches of two SMs are not coherent. Readers on many SMs load a word, which
// puts it into their L1 cache. A writer changes it and raises a flag. Which readers
// then still load the old value?

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// The words of one test, each in a cache line of its own.
struct alignas(128) test_state {
    alignas(128) int word;    ///< what the writer changes from 0 to 1
    alignas(128) int loaded;  ///< number of readers that loaded the word once
    alignas(128) int flag;    ///< raised by the writer
    alignas(128) int old;     ///< number of readers that loaded the old value again
};

// [kernel]
/// Block 0 writes, all other blocks read; one thread each.
/// @tparam word_scope  the scope at which the readers load the word
/// @tparam acquires    whether they load the flag with acquire, or relaxed
/// @param state        in device memory, at 0
template <cuda::thread_scope word_scope, bool acquires>
__global__ void write_and_read(test_state* state) {
    using device_word = cuda::atomic_ref<int, cuda::thread_scope_device>;
    device_word loaded(state->loaded);
    device_word flag(state->flag);
    const int readers = static_cast<int>(gridDim.x) - 1;
    if (blockIdx.x == 0) {
        while (loaded.load(cuda::memory_order_acquire) != readers) {
        }
        device_word(state->word).store(1, cuda::memory_order_relaxed);
        flag.store(1, cuda::memory_order_release);
    } else {
        cuda::atomic_ref<int, word_scope> word(state->word);
        const int first = word.load(cuda::memory_order_relaxed);  // into L1
        loaded.fetch_add(1 + first, cuda::memory_order_release);
        while (flag.load(acquires ? cuda::memory_order_acquire
                                  : cuda::memory_order_relaxed) == 0) {
        }
        if (word.load(cuda::memory_order_relaxed) == 0) atomicAdd(&state->old, 1);
    }
}
// [/kernel]

int main() {
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<test_state> state(1);
    const auto readers_with_old = [&](auto kernel) {
        state.fill_bytes(0);
        test_state* argument = state.data();
        void* arguments[] = {&argument};
        // all blocks must run at the same time: they wait for each other
        lockstep::check(cudaLaunchCooperativeKernel(kernel, dim3(sms), dim3(1),
                                                    arguments, 0, nullptr));
        return state.to_host()[0].old;
    };
    const int too_narrow =
        readers_with_old(write_and_read<cuda::thread_scope_block, false>);
    const int wide_enough =
        readers_with_old(write_and_read<cuda::thread_scope_device, false>);
    const int acquired =
        readers_with_old(write_and_read<cuda::thread_scope_device, true>);
    const int narrow_but_acquired =
        readers_with_old(write_and_read<cuda::thread_scope_block, true>);
    lockstep::report("readers", sms - 1);
    lockstep::report("block scope, flag relaxed", lockstep::counted{too_narrow});
    lockstep::report("device scope, flag relaxed", lockstep::counted{wide_enough});
    lockstep::report("device scope, flag acquired", acquired);
    lockstep::report("block scope, flag acquired", narrow_but_acquired);
    return acquired == 0 && narrow_but_acquired == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
