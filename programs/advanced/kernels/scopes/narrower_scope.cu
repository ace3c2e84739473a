// What do a wider scope and a stronger memory order cost? Each thread adds to a counter
// of its own in global memory, with each scope and each order.

#include <cstdio>
#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
/// Adds to a counter of its own, again and again.
/// @param times     number of additions
/// @param counters  one int for each thread in device memory, increased
template <cuda::thread_scope scope, cuda::std::memory_order order>
__global__ void add(int times, int* counters) {
    cuda::atomic_ref<int, scope> mine(counters[blockIdx.x * blockDim.x + threadIdx.x]);
    for (int i = 0; i < times; ++i) mine.fetch_add(1, order);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int times = options.integer("times", 2000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    int blocks = 0;  // one for each SM
    lockstep::check(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
    constexpr int threads = 256;
    lockstep::device_buffer<int> counters(blocks * threads);
    bool right = true;
    const auto measure = [&](const char* name, auto kernel) {
        counters.fill_bytes(0);
        kernel<<<blocks, threads>>>(times, counters.data());
        lockstep::check(cudaGetLastError());
        right = right && counters.to_host()[blocks * threads - 1] == times;
        const double ms = lockstep::time_on_device([&] {
                              kernel<<<blocks, threads>>>(times, counters.data());
                          }).median_ms;
        lockstep::report(name, lockstep::measured{1e6 * ms / times}, "ns");
    };
    constexpr auto block = cuda::thread_scope_block;
    constexpr auto device = cuda::thread_scope_device;
    constexpr auto system = cuda::thread_scope_system;
    constexpr auto relaxed = cuda::std::memory_order_relaxed;
    constexpr auto acq_rel = cuda::std::memory_order_acq_rel;
    constexpr auto seq_cst = cuda::std::memory_order_seq_cst;
    std::printf("time of one addition\n");
    measure("relaxed, block", add<block, relaxed>);
    measure("relaxed, device", add<device, relaxed>);
    measure("relaxed, system", add<system, relaxed>);
    measure("acq_rel, block", add<block, acq_rel>);
    measure("acq_rel, device", add<device, acq_rel>);
    measure("acq_rel, system", add<system, acq_rel>);
    measure("seq_cst, block", add<block, seq_cst>);
    measure("seq_cst, device", add<device, seq_cst>);
    measure("seq_cst, system", add<system, seq_cst>);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
