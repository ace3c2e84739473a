// Bug report: "Votes are missing. With one block the tally is right, with many it is
// too low, each time by another number. racecheck reports no hazard, so it cannot be a
// race." Find what the blocks do to each other, and fix it.

#include <numeric>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int candidates = 5;
constexpr int block_size = 128;

/// Counts votes.
/// @param n        number of votes
/// @param votes    n ints in device memory; below 0 or from `candidates` on: invalid
/// @param tally    `candidates` ints in device memory, increased
/// @param turnout  one int in device memory, increased by the number of valid votes
__global__ void count_votes(int n, const int* votes, int* tally, int* turnout) {
    __shared__ int mine[candidates];
    __shared__ int valid;
    if (threadIdx.x < candidates) mine[threadIdx.x] = 0;
    if (threadIdx.x == 0) valid = 0;
    __syncthreads();
    for (int i = blockIdx.x * block_size + threadIdx.x; i < n;
         i += gridDim.x * block_size) {
        if (votes[i] < 0 || votes[i] >= candidates) continue;
        atomicAdd(&mine[votes[i]], 1);
        atomicAdd(&valid, 1);
    }
    __syncthreads();
    // [task]
    if (threadIdx.x < candidates) atomicAdd(&tally[threadIdx.x], mine[threadIdx.x]);
    if (threadIdx.x == 0) atomicAdd(turnout, valid);
    //= given
    //| if (threadIdx.x < candidates) tally[threadIdx.x] += mine[threadIdx.x];
    //| if (threadIdx.x == 0) *turnout += valid;
    //= mutant more_barriers
    //| if (threadIdx.x < candidates) tally[threadIdx.x] += mine[threadIdx.x];
    //| __syncthreads();
    //| if (threadIdx.x == 0) *turnout += valid;
    //| __syncthreads();
    //= mutant one_thread_adds
    //| if (threadIdx.x == 0) {
    //|     for (int c = 0; c < candidates; ++c) tally[c] += mine[c];
    //|     *turnout += valid;
    //| }
    //= mutant turnout_forgotten
    //| if (threadIdx.x < candidates) atomicAdd(&tally[threadIdx.x], mine[threadIdx.x]);
    //| if (threadIdx.x == 0) *turnout += valid;
    //= mutant every_thread_adds
    //| if (threadIdx.x < candidates) atomicAdd(&tally[threadIdx.x], mine[threadIdx.x]);
    //| atomicAdd(turnout, valid);
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'000, 1, 1 << 26);
    const int blocks = options.integer("blocks", 528, 1, 10'000);
    options.finish();
    lockstep::require_device();

    // candidate 0 gets the most votes; every eleventh vote is invalid
    std::vector<int> votes(n);
    std::vector<int> expected(candidates);
    for (int i = 0; i < n; ++i) {
        const int dice = static_cast<int>(lockstep::random_word(i) % 15);
        votes[i] = dice < 5 ? 0 : dice < 9 ? 1 : dice < 12 ? 2 : dice < 14 ? 3 : 4;
        if (i % 11 == 7) votes[i] = i % 2 ? -1 : candidates;
        if (i % 11 != 7) ++expected[votes[i]];
    }
    const int all = std::accumulate(expected.begin(), expected.end(), 0);
    const lockstep::device_buffer<int> d_votes(votes);
    lockstep::device_buffer<int> d_tally(candidates);
    lockstep::device_buffer<int> d_turnout(1);
    lockstep::exercise_verdict verdict;
    for (int grid : {1, blocks}) {
        d_tally.fill_bytes(0);
        d_turnout.fill_bytes(0);
        count_votes<<<grid, block_size>>>(n, d_votes.data(), d_tally.data(),
                                          d_turnout.data());
        lockstep::check(cudaGetLastError());
        verdict.equal(grid == 1 ? "tally, one block" : "tally, many blocks",
                      d_tally.to_host(), expected);
        verdict.equal(grid == 1 ? "turnout, one block" : "turnout, many blocks",
                      d_turnout.to_host(), {all});
    }
    return verdict.finish();
}
