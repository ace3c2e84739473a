// Does a wider scope or a stronger order cost more? Each thread adds to a counter of
// its own, with each of both.

#include <cstdio>
#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/timer.hpp>

constexpr int times = 100;

// [kernel]
/// Adds to a counter of its own, again and again.
/// @param counters  one int for each thread in device memory, increased
template <cuda::thread_scope scope, cuda::std::memory_order order>
__global__ void add(int* counters) {
    cuda::atomic_ref<int, scope> mine(counters[blockIdx.x * blockDim.x + threadIdx.x]);
    for (int i = 0; i < times; ++i) mine.fetch_add(1, order);
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int blocks = 132;
    constexpr int threads = 256;
    lockstep::device_buffer<int> counters(blocks * threads);
    bool right = true;
    const auto cell = [&](auto kernel) {
        counters.fill_bytes(0);
        kernel<<<blocks, threads>>>(counters.data());
        lockstep::check(cudaGetLastError());
        right = right && counters.to_host()[blocks * threads - 1] == times;
        const double ms = lockstep::time_on_device([&] {
                              kernel<<<blocks, threads>>>(counters.data());
                          }).median_ms;
        char text[24];
        std::snprintf(text, sizeof text, "~%.1f us", 1e3 * ms);
        std::printf("%14s", text);
    };
    std::printf("%-12s%14s%14s%14s\n", "", "relaxed", "acq_rel", "seq_cst");
    std::printf("%-12s", "block");
    cell(add<cuda::thread_scope_block, cuda::std::memory_order_relaxed>);
    cell(add<cuda::thread_scope_block, cuda::std::memory_order_acq_rel>);
    cell(add<cuda::thread_scope_block, cuda::std::memory_order_seq_cst>);
    std::printf("\n%-12s", "device");
    cell(add<cuda::thread_scope_device, cuda::std::memory_order_relaxed>);
    cell(add<cuda::thread_scope_device, cuda::std::memory_order_acq_rel>);
    cell(add<cuda::thread_scope_device, cuda::std::memory_order_seq_cst>);
    std::printf("\n%-12s", "system");
    cell(add<cuda::thread_scope_system, cuda::std::memory_order_relaxed>);
    cell(add<cuda::thread_scope_system, cuda::std::memory_order_acq_rel>);
    cell(add<cuda::thread_scope_system, cuda::std::memory_order_seq_cst>);
    std::printf("\n");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
