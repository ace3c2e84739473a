// One thread stores X = 10, then Y = 20. Another one loads Y, then X. Which pairs may
// it see, of X = 1 or 10 and Y = 2 or 20? With a fence between the two accesses on
// both sides, never the new Y with the old X. Without fences, it may.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int stride =
    64;  // ints from X to Y, so that each has a cache line of its own

/// Writes 1 and 2 to X and Y of all tests.
/// @param tests  number of tests
/// @param words  2 * stride ints for each test in device memory
__global__ void prepare(int tests, int* words) {
    const int test = blockIdx.x * blockDim.x + threadIdx.x;
    if (test >= tests) return;
    words[2 * stride * test] = 1;
    words[2 * stride * test + stride] = 2;
}

// [kernel]
/// All tests at once: even blocks store, odd blocks load.
/// @tparam fenced   whether both sides have a fence
/// @param tests     number of tests
/// @param words     X and Y of each test, device memory
/// @param outcomes  4 counts in device memory: 1 and 2, 10 and 2, 1 and 20, 10 and 20
template <bool fenced>
__global__ void store_and_load(int tests, int* words, unsigned* outcomes) {
    using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
    const int pair = static_cast<int>(blockIdx.x / 2 * blockDim.x + threadIdx.x);
    const int pairs = static_cast<int>(gridDim.x / 2 * blockDim.x);
    for (int test = pair; test < tests; test += pairs) {
        word x(words[2 * stride * test]), y(words[2 * stride * test + stride]);
        if (blockIdx.x % 2 == 0) {
            x.store(10, cuda::memory_order_relaxed);
            if (fenced) __threadfence();
            y.store(20, cuda::memory_order_relaxed);
        } else {
            const int seen_y = y.load(cuda::memory_order_relaxed);
            if (fenced) __threadfence();
            const int seen_x = x.load(cuda::memory_order_relaxed);
            atomicAdd(&outcomes[2 * (seen_y == 20) + (seen_x == 10)], 1);
        }
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tests = options.integer("tests", 1 << 20, 1, 1 << 21);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<int> words(std::size_t(tests) * 2 * stride);
    lockstep::device_buffer<unsigned> outcomes(4);
    const auto run = [&](auto kernel) {
        outcomes.fill_bytes(0);
        for (int round = 0; round < rounds; ++round) {
            prepare<<<(tests + 255) / 256, 256>>>(tests, words.data());
            kernel<<<2 * sms, 256>>>(tests, words.data(), outcomes.data());
        }
        lockstep::check(cudaGetLastError());
        return outcomes.to_host();
    };
    const auto without = run(store_and_load<false>), with = run(store_and_load<true>);
    lockstep::report("tests of each", static_cast<long long>(tests) * rounds);
    lockstep::report("no fence: X = 1, Y = 2", lockstep::counted{without[0]});
    lockstep::report("no fence: X = 10, Y = 2", lockstep::counted{without[1]});
    lockstep::report("no fence: X = 10, Y = 20", lockstep::counted{without[3]});
    lockstep::report("no fence: X = 1, Y = 20", lockstep::counted{without[2]});
    lockstep::report("fences: X = 1, Y = 2", lockstep::counted{with[0]});
    lockstep::report("fences: X = 10, Y = 2", lockstep::counted{with[1]});
    lockstep::report("fences: X = 10, Y = 20", lockstep::counted{with[3]});
    lockstep::report("fences: X = 1, Y = 20", with[2]);
    return with[2] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
