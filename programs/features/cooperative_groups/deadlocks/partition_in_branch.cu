// May a group be partitioned in a branch that only some of its threads take? No: all
// must come. Otherwise it may hang or corrupt data, and here is one of each. Each
// kernel runs in a child process, which an alarm ends after five seconds if it hangs.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;

// [labels-wrong]
/// The lower half of each warp counts the lanes with the same label, four of each.
/// Wrong: the upper half takes no part in the partition.
/// @param found  one int for each thread in device memory, written by lower halves
__global__ void labels_in_branch(int* found) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const int lane = warp.thread_rank();
    if (lane < 16) {
        const auto group = cg::labeled_partition(warp, lane % 4);
        found[block.thread_rank()] = group.num_threads();
    }
    block.sync();
}
// [/labels-wrong]

// [labels-right]
/// The same, with a partition that the whole warp makes before the branch.
/// @param found  one int for each thread in device memory, written by lower halves
__global__ void labels_before_branch(int* found) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const int lane = warp.thread_rank();
    const auto group = cg::labeled_partition(warp, lane < 16 ? lane % 4 : 4);
    if (lane < 16) found[block.thread_rank()] = group.num_threads();
    block.sync();
}
// [/labels-right]

// [tile-wrong]
/// The first 64 threads write their sum, and the others read it after the barrier.
/// Wrong: the others take no part in the partition.
/// @param found  one int for each thread in device memory, written by the others
__global__ void tile_in_branch(int* found) {
    __shared__ cg::block_tile_memory<block_size> memory;
    __shared__ int sum;
    const cg::thread_block block = cg::this_thread_block(memory);
    const int rank = block.thread_rank();
    if (rank == 0) sum = -1;
    block.sync();
    if (rank < 64) {
        const auto tile = cg::tiled_partition<64>(block);  // waits for the block
        const int total = cg::reduce(tile, rank, cg::plus<int>());
        if (rank == 0) sum = total;
    }
    block.sync();
    if (rank >= 64) found[rank] = sum;
}
// [/tile-wrong]

// [tile-right]
/// The same, with a partition that the whole block makes before the branch.
/// @param found  one int for each thread in device memory, written by the others
__global__ void tile_before_branch(int* found) {
    __shared__ cg::block_tile_memory<block_size> memory;
    __shared__ int sum;
    const cg::thread_block block = cg::this_thread_block(memory);
    const int rank = block.thread_rank();
    if (rank == 0) sum = -1;
    block.sync();
    const auto tile = cg::tiled_partition<64>(block);
    if (rank < 64) {
        const int total = cg::reduce(tile, rank, cg::plus<int>());
        if (rank == 0) sum = total;
    }
    block.sync();
    if (rank >= 64) found[rank] = sum;
}
// [/tile-right]

using kernel = void (*)(int*);

// [child]
/// Runs a kernel in a child process, and prints how many numbers are wrong.
/// @param label     of the line
/// @param run       the kernel
/// @param expected  one int for each thread; -1 where the kernel writes none
/// @return whether the child ended by itself and found no wrong number
bool run_in_child(const char* label, kernel run, const std::vector<int>& expected) {
    std::fflush(stdout);
    const pid_t child = fork();  // no CUDA call before it: CUDA does not survive it
    if (child < 0) std::exit(EXIT_FAILURE);
    if (child == 0) {
        lockstep::require_device();
        lockstep::device_buffer<int> d_found(block_size);
        d_found.fill_bytes(0xFF);
        lockstep::check(cudaDeviceSynchronize());
        alarm(5);  // ends the child if the kernel hangs
        run<<<1, block_size>>>(d_found.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> found = d_found.to_host();
        int wrong = 0;
        for (int i = 0; i < block_size; ++i) wrong += found[i] != expected[i];
        lockstep::report(label, lockstep::counted{wrong});
        std::fflush(stdout);
        _exit(wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        lockstep::report(label,
                         WTERMSIG(status) == SIGALRM ? "hung, was ended" : "crash");
    if (WIFEXITED(status) && WEXITSTATUS(status) == lockstep::no_device_status)
        std::exit(lockstep::no_device_status);
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}
// [/child]

int main() {
    std::vector<int> sizes(block_size, -1), sums(block_size, -1);
    for (int i = 0; i < block_size; ++i) {
        if (i % 32 < 16) sizes[i] = 4;
        if (i >= 64) sums[i] = 64 * 63 / 2;
    }
    std::printf("wrong numbers\n");
    const bool labels =
        run_in_child("labels, before the branch", labels_before_branch, sizes);
    run_in_child("labels, in the branch", labels_in_branch, sizes);
    const bool tiles =
        run_in_child("tile of 64, before branch", tile_before_branch, sums);
    run_in_child("tile of 64, in the branch", tile_in_branch, sums);
    return labels && tiles ? EXIT_SUCCESS : EXIT_FAILURE;
}
