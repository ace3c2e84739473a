// May a group be synchronized between arrive and wait? No: the guide forbids every
// collective of the same group there. A block gets away with it in toolkit 13.0, since
// its barrier_arrive() does nothing. A cluster or a grid may hang.

#include <cstdlib>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 64;

// [kernel]
/// Each thread takes its neighbor's number; with one barrier too many.
/// @param data  block_size ints in device memory, written
__global__ void exchange(int* data) {
    __shared__ int words[block_size];
    const cg::thread_block block = cg::this_thread_block();
    words[block.thread_rank()] = block.thread_rank();
    auto token = block.barrier_arrive();
    block.sync();  // a collective between arrive and wait
    block.barrier_wait(std::move(token));
    data[block.thread_rank()] = words[block.thread_rank() ^ 1];
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_data(block_size);
    d_data.fill_bytes(0xFF);
    exchange<<<1, block_size>>>(d_data.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> data = d_data.to_host();
    int wrong = 0;
    for (int i = 0; i < block_size; ++i) wrong += data[i] != (i ^ 1);
    lockstep::report("wrong numbers", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
