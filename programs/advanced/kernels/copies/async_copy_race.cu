// Between the start of an asynchronous copy and the wait, no thread may access the
// destination. Here a read comes too early, and finds the old words.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

// [kernel]
/// Copies through shared memory.
/// @param in   n ints for each block in device memory
/// @param out  n ints for each block in device memory, written
template <bool waits>
__global__ void copy(const int* in, int* out) {
    __shared__ int words[n];
    const auto block = cooperative_groups::this_thread_block();
    words[threadIdx.x] = -1;
    block.sync();
    cooperative_groups::memcpy_async(block, words, in + blockIdx.x * n,
                                     n * sizeof(int));
    if (waits) cooperative_groups::wait(block);
    out[blockIdx.x * n + threadIdx.x] = words[threadIdx.x];
    cooperative_groups::wait(block);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device(80);

    std::vector<int> in(blocks * n);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(blocks * n);
    const auto early = [&] {
        int count = 0;
        for (const int word : d_out.to_host()) count += word == -1;
        return count;
    };
    copy<false><<<blocks, n>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const int without = early();
    copy<true><<<blocks, n>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const int with_wait = early();
    lockstep::report("old words read, no wait", lockstep::counted{without});
    lockstep::report("old words read, with wait", with_wait);
    return with_wait == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
