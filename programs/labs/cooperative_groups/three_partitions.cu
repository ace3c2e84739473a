// One function for groups of any size: add up the values of a group's threads, in
// shared memory. The kernel calls it for the whole block, for tiles of 32 threads, and
// for tiles of 16. Write the function, and give each group words of its own.

#include <cstdio>
#include <numeric>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;

// [task-sum]
/// Adds up the values of a group.
/// @param group  all of its threads make the call; a power of two
/// @param words  a word for each thread of the group, in shared memory
/// @param value  this thread's value
/// @return the sum, in each thread of the group
template <class Group>
__device__ int sum_of(const Group& group, int* words, int value) {
    const unsigned rank = group.thread_rank();
    words[rank] = value;
    for (unsigned half = group.num_threads() / 2; half > 0; half /= 2) {
        group.sync();
        if (rank < half) words[rank] += words[rank + half];
    }
    group.sync();
    return words[0];
}
//= given
//| /// Adds up the values of a group.
//| /// @param group  all of its threads make the call; a power of two
//| /// @param words  a word for each thread of the group, in shared memory
//| /// @param value  this thread's value
//| /// @return the sum, in each thread of the group
//| template <class Group>
//| __device__ int sum_of(const Group& /*group*/, int* words, int value) {
//|     words[threadIdx.x] = value;
//|     for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
//|         __syncthreads();
//|         if (threadIdx.x < half) words[threadIdx.x] += words[threadIdx.x + half];
//|     }
//|     __syncthreads();
//|     return words[0];
//| }
//= mutant size_of_block
//| template <class Group>
//| __device__ int sum_of(const Group& group, int* words, int value) {
//|     const unsigned rank = group.thread_rank();
//|     words[rank] = value;
//|     for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
//|         group.sync();
//|         if (rank < half) words[rank] += words[(rank + half) % group.num_threads()];
//|     }
//|     group.sync();
//|     return words[0];
//| }
//= mutant no_barrier
//| template <class Group>
//| __device__ int sum_of(const Group& group, int* words, int value) {
//|     const unsigned rank = group.thread_rank();
//|     words[rank] = value;
//|     for (unsigned half = group.num_threads() / 2; half > 0; half /= 2)
//|         if (rank < half) words[rank] += words[rank + half];
//|     return words[0];
//| }
//= mutant sum_for_rank_0_only
//| template <class Group>
//| __device__ int sum_of(const Group& group, int* words, int value) {
//|     const unsigned rank = group.thread_rank();
//|     words[rank] = value;
//|     for (unsigned half = group.num_threads() / 2; half > 0; half /= 2) {
//|         group.sync();
//|         if (rank < half) words[rank] += words[rank + half];
//|     }
//|     group.sync();
//|     return words[rank];
//| }
// [/task-sum]

/// Stores what each thread has as the sum of the block, of its tile of 32, and of its
/// tile of 16.
/// @param x     block_size ints in device memory
/// @param sums  three times as many in device memory, written: block, 32, 16
__global__ void add_up(const int* x, int* sums) {
    __shared__ int words[block_size];
    const cg::thread_block block = cg::this_thread_block();
    const auto large = cg::tiled_partition<32>(block);
    const auto small = cg::tiled_partition<16>(block);
    const int value = x[block.thread_rank()];

    const int of_block = sum_of(block, words, value);
    sums[block.thread_rank()] = of_block;
    block.sync();  // the words are free again
    // [task-tiles]
    const int of_large = sum_of(large, words + 32 * large.meta_group_rank(), value);
    block.sync();
    const int of_small = sum_of(small, words + 16 * small.meta_group_rank(), value);
    //= given
    //| const int of_large = sum_of(large, words, value);
    //| block.sync();
    //| const int of_small = sum_of(small, words, value);
    //= mutant rank_without_size
    //| const int of_large = sum_of(large, words + large.meta_group_rank(), value);
    //| block.sync();
    //| const int of_small = sum_of(small, words + small.meta_group_rank(), value);
    //= mutant same_stride
    //| const int of_large = sum_of(large, words + 32 * large.meta_group_rank(), value);
    //| block.sync();
    //| const int of_small =
    //|     sum_of(small, words + 32 * (small.meta_group_rank() / 2), value);
    // [/task-tiles]
    sums[block_size + block.thread_rank()] = of_large;
    sums[2 * block_size + block.thread_rank()] = of_small;
}

int main() {
    lockstep::require_device();

    std::vector<int> x(block_size);
    for (int i = 0; i < block_size; ++i) x[i] = i * i * 31 % 257;
    const auto sum = [&](int first, int size) {
        return std::accumulate(x.begin() + first, x.begin() + first + size, 0);
    };
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_sums(3 * block_size);
    d_sums.fill_bytes(0xFF);
    add_up<<<1, block_size>>>(d_x.data(), d_sums.data());
    lockstep::check(cudaGetLastError());

    const std::vector<int> sums = d_sums.to_host();
    lockstep::exercise_verdict verdict;
    const auto groups = [&](const char* label, int size, int row) {
        int wrong = 0, at = 0;  // threads with a wrong sum, and the first of them
        for (int i = block_size; i-- > 0;)
            if (sums[row * block_size + i] != sum(i / size * size, size))
                ++wrong, at = i;
        const int found = sums[row * block_size + at], first = at / size * size;
        const bool of_block = size < block_size && found == sum(0, block_size);
        char advice[200];
        std::snprintf(advice, sizeof advice,
                      "thread %d, in the group of threads %d to %d, has the sum %d%s, "
                      "expected %d; %d of %d threads have a wrong one",
                      at, first, first + size - 1, found,
                      of_block ? ", that of the whole block" : "", sum(first, size),
                      wrong, block_size);
        verdict.holds(label, wrong == 0, advice);
    };
    groups("block", block_size, 0);
    groups("tiles of 32", 32, 1);
    groups("tiles of 16", 16, 2);
    return verdict.finish();
}
