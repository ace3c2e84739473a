// Two threads: each stores to its own word, then loads the other's. May both load the
// old value? With release and acquire they may, with sequential consistency not.

#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int stride = 64;

// [kernel]
/// Stores to one word, reads the other; even blocks one way round, odd blocks the
/// other.
/// @param tests  number of tests
/// @param words  2 * stride words for each test in device memory, at 0
/// @param seen   2 ints for each test in device memory, written: what each side read
template <bool consistent>
__global__ void store_then_load(int tests, int* words, int* seen) {
    using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
    const int side = static_cast<int>(blockIdx.x % 2);
    const int pair = static_cast<int>(blockIdx.x / 2 * blockDim.x + threadIdx.x);
    const int pairs = static_cast<int>(gridDim.x / 2 * blockDim.x);
    for (int test = pair; test < tests; test += pairs) {
        word mine(words[(2 * test + side) * stride]);
        word other(words[(2 * test + 1 - side) * stride]);
        mine.store(
            1, consistent ? cuda::memory_order_seq_cst : cuda::memory_order_release);
        seen[2 * test + side] = other.load(consistent ? cuda::memory_order_seq_cst
                                                      : cuda::memory_order_acquire);
    }
}
// [/kernel]

/// Counts tests in which both sides read 0.
/// @param tests     number of tests
/// @param seen      2 * tests ints in device memory: what the sides of each test read
/// @param both_old  one number in device memory, increased
__global__ void count_both_old(int tests, const int* seen, unsigned* both_old) {
    const int test = blockIdx.x * blockDim.x + threadIdx.x;
    if (test < tests && seen[2 * test] == 0 && seen[2 * test + 1] == 0)
        atomicAdd(both_old, 1);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tests = options.integer("tests", 1 << 20, 1, 1 << 21);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::device_buffer<int> words(std::size_t(tests) * 2 * stride);
    lockstep::device_buffer<int> seen(std::size_t(tests) * 2);
    lockstep::device_buffer<unsigned> both_old(1);
    const auto run = [&](auto kernel) {
        both_old.fill_bytes(0);
        for (int round = 0; round < rounds; ++round) {
            words.fill_bytes(0);
            kernel<<<2 * sms, 256>>>(tests, words.data(), seen.data());
            count_both_old<<<(tests + 255) / 256, 256>>>(tests, seen.data(),
                                                         both_old.data());
        }
        lockstep::check(cudaGetLastError());
        return both_old.to_host()[0];
    };
    const unsigned weak = run(store_then_load<false>);
    const unsigned strong = run(store_then_load<true>);
    lockstep::report("tests of each", static_cast<long long>(tests) * rounds);
    lockstep::report("release, acquire: both old", lockstep::counted{weak});
    lockstep::report("seq_cst: both old", strong);
    return strong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
