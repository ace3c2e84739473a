// Where do blocks run, and in which order do they begin? Each block takes a ticket when
// it begins, and each thread writes down the SM that it runs on. No block is split; all
// SMs get blocks; the tickets show that nothing promises an order.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Number of the SM that runs this thread.
__device__ int this_sm() {
    int number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

/// Notes when each block began and where each thread runs.
/// @param next     one int in device memory, 0 at first: the next ticket
/// @param tickets  one int per block in device memory
/// @param homes    one int per thread in device memory
__global__ void sign_in(int* next, int* tickets, int* homes) {
    if (threadIdx.x == 0) tickets[blockIdx.x] = atomicAdd(next, 1);
    homes[blockIdx.x * blockDim.x + threadIdx.x] = this_sm();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 10'000, 1, 1'000'000);
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr int block_size = 128;
    lockstep::device_buffer<int> d_next(std::vector<int>{0});
    lockstep::device_buffer<int> d_tickets(blocks);
    lockstep::device_buffer<int> d_homes(std::size_t(blocks) * block_size);
    d_tickets.fill_bytes(0xFF);
    d_homes.fill_bytes(0xFF);
    sign_in<<<blocks, block_size>>>(d_next.data(), d_tickets.data(), d_homes.data());
    lockstep::check(cudaGetLastError());
    std::vector<int> tickets = d_tickets.to_host();
    const std::vector<int> homes = d_homes.to_host();

    // [count]
    int split = 0;
    int early = 0;  // blocks that began before one with a lower index
    std::vector<int> blocks_on(sms, 0);
    for (int block = 0; block < blocks; ++block) {
        const auto first =
            homes.begin() + static_cast<std::ptrdiff_t>(block) * block_size;
        split += std::count(first, first + block_size, *first) != block_size;
        ++blocks_on.at(*first);
        early += block + 1 < blocks && tickets[block] > tickets[block + 1];
    }
    // [/count]
    const auto [least, most] = std::minmax_element(blocks_on.begin(), blocks_on.end());
    lockstep::report("blocks", blocks);
    lockstep::report("blocks on two SMs", split);
    lockstep::report("multiprocessors", sms);
    lockstep::report("fewest blocks on one", lockstep::counted{*least});
    lockstep::report("most blocks on one", lockstep::counted{*most});
    lockstep::report("block i+1 before block i", lockstep::counted{early});
    std::sort(tickets.begin(), tickets.end());
    bool all = true;
    for (int i = 0; i < blocks; ++i) all = all && tickets[i] == i;
    lockstep::report("every block ran once", all);
    return all && split == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
