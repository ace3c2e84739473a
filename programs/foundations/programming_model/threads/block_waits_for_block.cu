// May a block wait for another block of its grid? Only if that one is running, and
// nothing promises it. Here every block waits for the last block. A small grid fits on
// the GPU at once and the wait ends. A large one does not: the blocks that wait hold
// the places that the last block needs. Without the clock that makes them give up, they
// would wait forever.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// The last block raises a flag; every block waits for it, or gives up after `patience`
/// clock cycles.
/// @param word      the flag: one int in device memory, 0 at first
/// @param patience  cycles of the SM's clock
/// @param gave_up   one int in device memory, 0 at first: blocks that gave up
__global__ void wait_for_last(int* word, long long patience, int* gave_up) {
    bool lost = false;
    if (threadIdx.x == 0) {
        const cuda::atomic_ref<int, cuda::thread_scope_device> flag(*word);
        if (blockIdx.x == gridDim.x - 1) flag.store(1);
        const long long start = clock64();
        while (flag.load() == 0) {
            if (clock64() - start > patience) {
                lost = true;
                break;
            }
        }
    }
    // a barrier that also tells each thread whether one of them gave up
    if (__syncthreads_or(lost) && threadIdx.x == 0) atomicAdd(gave_up, 1);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool large = options.choice("grid", {"small", "large"}) == 1;
    options.finish();
    lockstep::require_device();

    // [resident]
    constexpr int block_size = 1024;
    int blocks_per_sm = 0;
    int sms = 0;
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_sm, wait_for_last, block_size, 0));
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int resident = blocks_per_sm * sms;
    const int blocks = large ? 2 * resident : resident / 2;
    // [/resident]

    lockstep::device_buffer<int> d_flag(std::vector<int>{0});
    lockstep::device_buffer<int> d_gave_up(std::vector<int>{0});
    wait_for_last<<<blocks, block_size>>>(d_flag.data(), 100'000'000, d_gave_up.data());
    lockstep::check(cudaGetLastError());
    const int gave_up = d_gave_up.to_host()[0];
    lockstep::report("blocks at once, at most", resident);
    lockstep::report("blocks in the grid", blocks);
    lockstep::report("some gave up", gave_up > 0);
    return (gave_up > 0) == large ? EXIT_SUCCESS : EXIT_FAILURE;
}
