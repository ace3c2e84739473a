// What happens if a barrier is used wrongly? Each case breaks one rule in a block of 64
// threads, and every wait gives up after a while, so that nothing hangs. The program
// counts the threads whose wait ended.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace ptx = cuda::ptx;

constexpr int block_size = 64;

/// The rule that a case breaks.
enum class wrong {
    nothing,
    count_too_high,
    count_too_low,
    released_early,
    arrives_twice,
    leaves,
    parity_kept,
    token_kept,
    bytes_unexpected,
    bytes_missing
};

/// Asks again and again whether a phase is complete, but not forever.
/// @return whether it was
template <class Complete>
__device__ bool wait_a_while(Complete&& complete) {
    for (int attempt = 0; attempt < 500; ++attempt)
        if (complete()) return true;
    return false;
}

/// Uses a barrier wrongly.
/// @param what    the rule to break
/// @param in      block_size ints in device memory
/// @param passed  one int in device memory, increased by each thread whose wait ended
__global__ void misuse(wrong what, const int* in, int* passed) {
    using block_barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int words[block_size];
    std::uint64_t* word = cuda::device::barrier_native_handle(barrier);
    const int t = threadIdx.x;
    const bool copies = what == wrong::bytes_unexpected || what == wrong::bytes_missing;
    if (t == 0) {
        init(&barrier, what == wrong::count_too_high   ? block_size + 1
                       : what == wrong::count_too_low  ? block_size / 2
                       : what == wrong::released_early ? block_size / 2
                       : copies                        ? 1
                                                       : block_size);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    const cuda::aligned_size_t<16> bytes(sizeof words);
    const auto parity_passes = [&](unsigned parity) {
        return wait_a_while(
            [&] { return ptx::mbarrier_try_wait_parity(word, parity, 1000); });
    };
    bool pass = false;
    switch (what) {
        // [counts]
        case wrong::nothing:
        case wrong::count_too_high:  // 65 for 64 threads
        case wrong::count_too_low:  // 32 for 64 threads
            static_cast<void>(ptx::mbarrier_arrive(word));
            __syncthreads();  // all arrivals are in
            pass = parity_passes(0);
            break;
        // [/counts]
        // [released-early]
        case wrong::released_early:  // 32 for 64 threads; the second warp is late
            if (t >= block_size / 2) return;
            static_cast<void>(ptx::mbarrier_arrive(word));
            pass = parity_passes(0);  // although the second warp has not arrived
            break;
        // [/released-early]
        // [arrives-twice]
        case wrong::arrives_twice:
            if (t < block_size - 1) static_cast<void>(ptx::mbarrier_arrive(word));
            if (t == 0) static_cast<void>(ptx::mbarrier_arrive(word));
            pass = parity_passes(0);  // although the last thread has not arrived
            break;
        // [/arrives-twice]
        // [leaves]
        case wrong::leaves:
            if (t == block_size - 1) return;  // without arrive_and_drop
            static_cast<void>(ptx::mbarrier_arrive(word));
            pass = parity_passes(0);
            break;
        // [/leaves]
        // [parity-kept]
        case wrong::parity_kept:
            static_cast<void>(ptx::mbarrier_arrive(word));
            parity_passes(0);
            pass = parity_passes(0);  // second phase: no thread has arrived
            break;
        // [/parity-kept]
        // [token-kept]
        case wrong::token_kept: {
            const std::uint64_t token = ptx::mbarrier_arrive(word);
            parity_passes(0);
            static_cast<void>(ptx::mbarrier_arrive(word));
            parity_passes(1);
            __syncthreads();  // two phases are complete
            pass =
                wait_a_while([&] { return ptx::mbarrier_try_wait(word, token, 1000); });
            break;
        }
        // [/token-kept]
        // [bytes]
        case wrong::bytes_unexpected:
            if (t > 0) return;
            static_cast<void>(barrier.arrive());  // says nothing about bytes
            pass = parity_passes(0);  // although no copy has begun
            cuda::device::memcpy_async_tx(words, in, bytes, barrier);
            static_cast<void>(
                cuda::device::barrier_arrive_tx(barrier, 1, sizeof words));
            parity_passes(1);  // the copy must not outlive words
            break;
        case wrong::bytes_missing:
            if (t > 0) return;
            static_cast<void>(
                cuda::device::barrier_arrive_tx(barrier, 1, 2 * sizeof words));
            cuda::device::memcpy_async_tx(words, in, bytes, barrier);
            pass = parity_passes(0);
            // [/bytes]
    }
    if (pass) atomicAdd(passed, 1);
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_in(block_size), d_passed(1);
    d_in.fill_bytes(1);
    int unexpected = 0;
    std::printf("%-28s%-16s%s\n", "threads that", "passed", "should pass");
    const auto run = [&](wrong what, const char* label, int expected,
                         const char* should) {
        d_passed.fill_bytes(0);
        misuse<<<1, block_size>>>(what, d_in.data(), d_passed.data());
        lockstep::check(cudaGetLastError());
        const int passed = d_passed.to_host()[0];
        std::printf("%-28s%-16d%s\n", label, passed, should);
        unexpected += expected >= 0 && passed != expected;
    };
    run(wrong::nothing, "nothing wrong", block_size, "64");
    run(wrong::count_too_high, "count 65 for 64 threads", 0, "64");
    run(wrong::count_too_low, "count 32 for 64 threads", 0, "64");
    run(wrong::released_early, "count 32, 32 have arrived", block_size / 2, "0");
    run(wrong::arrives_twice, "one thread arrives twice", block_size, "0");
    run(wrong::leaves, "one thread leaves", 0, "63");
    run(wrong::parity_kept, "parity not flipped", block_size, "0");
    run(wrong::token_kept, "token two phases old", -1, "undefined");
    run(wrong::bytes_unexpected, "bytes not expected", 1, "0");
    run(wrong::bytes_missing, "more bytes expected", 0, "1");
    return unexpected == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
