// Each block of a kernel launches a child that adds its share to a sum, and one further
// grid is to copy the complete sum. As given, the last block launches the copy into its
// NULL stream, which orders it after this block's child only. Launch the copy so that
// it runs once, after the children of all blocks. The order must come from a stream: a
// copy that passes some time, or waits until the sum is complete, is no solution.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 16;

/// Adds a share to the sum; those of low blocks take longest.
/// @param share  what to add
/// @param words  the sum in device memory
__global__ void add_share(int share, int* words) {
    lockstep::busy_wait(20'000ull * (blocks - share));
    atomicAdd(words, share);
}

/// Copies the sum; one thread.
/// @param words  in device memory: the sum, its copy, how often it was copied
__global__ void copy_sum(int* words) {
    words[1] = *static_cast<volatile int*>(words);
    atomicAdd(words + 2, 1);
}

/// Launches the children and the copy; one thread a block.
/// @param words  as above
__global__ void parent(int* words) {
    add_share<<<1, 1>>>(static_cast<int>(blockIdx.x) + 1, words);
    // [task]
    if (blockIdx.x == 0) copy_sum<<<1, 1, 0, cudaStreamTailLaunch>>>(words);
    //= given
    //| // The last block's child is the fastest.
    //| if (blockIdx.x == blocks - 1) copy_sum<<<1, 1>>>(words);
    //= mutant every_block
    //| copy_sum<<<1, 1, 0, cudaStreamTailLaunch>>>(words);
    //= mutant fire_and_forget
    //| if (blockIdx.x == 0) copy_sum<<<1, 1, 0, cudaStreamFireAndForget>>>(words);
    //= mutant wrong_block
    //| if (blockIdx.x == blocks) copy_sum<<<1, 1, 0, cudaStreamTailLaunch>>>(words);
    // [/task]
}

int main() {
    lockstep::require_device();

    constexpr int runs = 20;
    std::vector<int> copies, times;
    for (int run = 0; run < runs; ++run) {
        lockstep::device_buffer<int> d_words(std::vector<int>{0, -1, 0});
        parent<<<blocks, 1>>>(d_words.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> words = d_words.to_host();
        copies.push_back(words[1]);
        times.push_back(words[2]);
    }
    lockstep::exercise_verdict verdict(-1);
    verdict.equal("copies of the sum", copies,
                  std::vector<int>(runs, blocks * (blocks + 1) / 2),
                  lockstep::numbered("the copy of run"));
    verdict.equal("times copied in a run", times, std::vector<int>(runs, 1),
                  lockstep::numbered("the number of copies in run"));
    return verdict.finish();
}
