// When does a phase end that also waits for bytes? When all arrivals are in and all
// expected bytes have been copied. One thread arrives, expects bytes, and copies, and
// asks after each operation whether the phase is complete.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int n = 256;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// [kernel]
/// Copies numbers to shared memory and back, one operation after the other.
/// @param in        n ints in device memory
/// @param out       n ints in device memory, written
/// @param complete  5 ints in device memory, written: whether the phase was complete
__global__ void copy_alone(const int* in, int* out, int* complete) {
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int words[n];
    std::uint64_t* word = cuda::device::barrier_native_handle(barrier);
    init(&barrier, 1);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // a precaution
    const auto phase_0_is_complete = [&] {
        return cuda::ptx::mbarrier_test_wait_parity(word, 0);
    };

    cuda::device::barrier_expect_tx(barrier, sizeof words);
    complete[0] = phase_0_is_complete();
    static_cast<void>(barrier.arrive());
    complete[1] = phase_0_is_complete();  // all arrivals are in, no byte is
    const cuda::aligned_size_t<16> bytes(sizeof words);
    cuda::device::memcpy_async_tx(words, in, bytes, barrier);
    for (int attempt = 0; attempt < 1000 && !phase_0_is_complete(); ++attempt)
        static_cast<void>(cuda::ptx::mbarrier_try_wait_parity(word, 0, 1000));
    complete[2] = phase_0_is_complete();
    for (int i = 0; i < n && complete[2]; ++i) out[i] = words[i];

    const auto token = cuda::device::barrier_arrive_tx(barrier, 1, 0);  // no bytes
    complete[3] = cuda::ptx::mbarrier_test_wait(word, token);
    const auto next = cuda::device::barrier_arrive_tx(barrier, 1, sizeof words);
    complete[4] = cuda::ptx::mbarrier_test_wait(word, next);
    cuda::device::memcpy_async_tx(words, in, bytes, barrier);
    for (int attempt = 0; attempt < 1000; ++attempt)  // the copy must not outlive words
        if (cuda::ptx::mbarrier_try_wait(word, next, 1000)) break;
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = i * i;
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(n), d_complete(5);
    d_out.fill_bytes(0xFF);
    d_complete.fill_bytes(0xFF);
    copy_alone<<<1, 1>>>(d_in.data(), d_out.data(), d_complete.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> complete = d_complete.to_host();
    const auto says = [&](const char* after, int i) {
        lockstep::report(after, complete[i] ? "complete" : "not complete");
    };
    says("1024 bytes are expected", 0);
    says("and the thread has arrived", 1);
    says("and the bytes have arrived", 2);
    says("arrival, 0 bytes", 3);
    says("arrival, 1024 bytes", 4);
    const std::size_t wrong = lockstep::count_mismatches(d_out.to_host(), in);
    lockstep::report("wrong numbers", wrong);
    const bool right = complete == std::vector<int>{0, 0, 1, 1, 0};
    return right && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
