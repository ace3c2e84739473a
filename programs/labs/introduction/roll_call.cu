// A grid has 3 blocks of 5 threads. Let every thread write its block index and its
// thread index into an element of its own: first the threads of block 0, then those of
// block 1, and so on. Two things are missing: the launch, and the element's index.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 3;
constexpr int threads = 5;

/// Each thread signs in.
/// @param block   one int for each thread of the grid in device memory, written
/// @param thread  one int for each thread of the grid in device memory, written
__global__ void sign_in(int* block, int* thread) {
    // [task-place]
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    //= given
    //| const int place = 0;  // whose place is this?
    //= mutant threads_only
    //| const int place = threadIdx.x;
    //= mutant swapped
    //| const int place = threadIdx.x * gridDim.x + blockIdx.x;
    // [/task-place]
    block[place] = blockIdx.x;
    thread[place] = threadIdx.x;
}

int main() {
    lockstep::require_device();

    constexpr int all = blocks * threads;
    lockstep::device_buffer<int> d_block(std::vector<int>(all, -1));
    lockstep::device_buffer<int> d_thread(std::vector<int>(all, -1));
    // [task]
    sign_in<<<blocks, threads>>>(d_block.data(), d_thread.data());
    //= given
    //| sign_in<<<1, 1>>>(d_block.data(), d_thread.data());
    //= mutant one_block
    //| sign_in<<<1, blocks * threads>>>(d_block.data(), d_thread.data());
    // [/task]
    lockstep::check(cudaGetLastError());

    std::vector<int> block(all);
    std::vector<int> thread(all);
    for (int i = 0; i < all; ++i) {
        block[i] = i / threads;
        thread[i] = i % threads;
    }
    lockstep::exercise_verdict verdict(-1);
    const auto place = lockstep::in_groups(threads, "the element of block", "thread");
    verdict.equal("block numbers", d_block.to_host(), block, place);
    verdict.equal("thread numbers", d_thread.to_host(), thread, place);
    return verdict.finish();
}
