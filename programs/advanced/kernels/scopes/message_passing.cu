// One thread stores a message, then a flag. Another thread sees the flag and reads the
// message. May it read the old one? With relaxed or volatile accesses it may. With
// release and acquire it may not.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// words between message and flag, so that each has cache lines of its own
constexpr int stride = 64;

/// How many tests had each outcome.
struct tally {
    unsigned flag_unseen;  ///< the flag was not there yet
    unsigned both;  ///< flag and message were there
    unsigned stale;  ///< the flag was there, the message was not
};

// [kernel]
/// Passes messages: even blocks write, odd blocks read, all tests at once.
/// @tparam ordered  whether the flag is stored with release and loaded with acquire
/// @tparam fenced   whether a fence stands between message and flag on both sides
/// @param tests  number of tests
/// @param words  2 * stride words for each test in device memory, at 0: message, then
///               flag
/// @param found  one tally in device memory, at 0
template <bool ordered, bool fenced>
__global__ void pass_messages(int tests, int* words, tally* found) {
    using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
    constexpr auto store =
        ordered ? cuda::memory_order_release : cuda::memory_order_relaxed;
    constexpr auto load =
        ordered ? cuda::memory_order_acquire : cuda::memory_order_relaxed;
    const bool writer = blockIdx.x % 2 == 0;
    const int pair = static_cast<int>(blockIdx.x / 2 * blockDim.x + threadIdx.x);
    const int pairs = static_cast<int>(gridDim.x / 2 * blockDim.x);
    for (int test = pair; test < tests; test += pairs) {
        word message(words[2 * stride * test]);
        word flag(words[2 * stride * test + stride]);
        if (writer) {
            message.store(42, cuda::memory_order_relaxed);
            if (fenced)
                cuda::atomic_thread_fence(cuda::memory_order_release,
                                          cuda::thread_scope_device);
            flag.store(1, store);
        } else {
            const int saw_flag = flag.load(load);
            if (fenced)
                cuda::atomic_thread_fence(cuda::memory_order_acquire,
                                          cuda::thread_scope_device);
            const int saw_message = message.load(cuda::memory_order_relaxed);
            atomicAdd(saw_flag == 0       ? &found->flag_unseen
                      : saw_message == 42 ? &found->both
                                          : &found->stale,
                      1);
        }
    }
}
// [/kernel]

// [volatile]
/// The same with volatile accesses, which have no memory order.
/// @param tests  number of tests
/// @param words  2 * stride words for each test in device memory, at 0: message, then
///               flag
/// @param found  one tally in device memory, at 0
__global__ void pass_by_volatile(int tests, int* words, tally* found) {
    volatile int* shared_words = words;
    const bool writer = blockIdx.x % 2 == 0;
    const int pair = static_cast<int>(blockIdx.x / 2 * blockDim.x + threadIdx.x);
    const int pairs = static_cast<int>(gridDim.x / 2 * blockDim.x);
    for (int test = pair; test < tests; test += pairs) {
        volatile int* message = shared_words + 2 * stride * test;
        volatile int* flag = message + stride;
        if (writer) {
            *message = 42;
            *flag = 1;
        } else {
            const int saw_flag = *flag;
            const int saw_message = *message;
            atomicAdd(saw_flag == 0       ? &found->flag_unseen
                      : saw_message == 42 ? &found->both
                                          : &found->stale,
                      1);
        }
    }
}
// [/volatile]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tests = options.integer("tests", 1 << 20, 1, 1 << 21);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<int> words(std::size_t(tests) * 2 * stride);
    lockstep::device_buffer<tally> found(1);
    const auto run = [&](auto kernel) {
        found.fill_bytes(0);
        for (int round = 0; round < rounds; ++round) {
            words.fill_bytes(0);
            kernel<<<2 * sms, 256>>>(tests, words.data(), found.data());
        }
        lockstep::check(cudaGetLastError());
        return found.to_host()[0];
    };
    const tally relaxed = run(pass_messages<false, false>);
    const tally by_volatile = run(pass_by_volatile);
    const tally fenced = run(pass_messages<false, true>);
    const tally ordered = run(pass_messages<true, false>);
    lockstep::report("tests of each", static_cast<long long>(tests) * rounds);
    lockstep::report("relaxed: flag and message", lockstep::counted{relaxed.both});
    lockstep::report("relaxed: flag, no message", lockstep::counted{relaxed.stale});
    lockstep::report("volatile: flag and message", lockstep::counted{by_volatile.both});
    lockstep::report("volatile: flag, no message",
                     lockstep::counted{by_volatile.stale});
    lockstep::report("fences: flag and message", lockstep::counted{fenced.both});
    lockstep::report("fences: flag, no message", fenced.stale);
    lockstep::report("ordered: flag and message", lockstep::counted{ordered.both});
    lockstep::report("ordered: flag, no message", ordered.stale);
    return ordered.stale + fenced.stale == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
