// Collect the positive numbers of an array, in any order. In the starter each thread
// that found a positive number takes the next free place from a counter, with one
// atomic operation for each number. Let one lane of each warp take the places for all
// its lanes at once: count the numbers, let one lane take the places, and tell the
// other lanes.

#include <algorithm>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

/// The counter of the places taken.
struct counter {
    int next;             ///< first free place
    unsigned operations;  ///< how often take() was called

    /// Takes places.
    /// @param places  how many
    /// @return the first of them
    __device__ int take(int places) {
        atomicAdd(&operations, 1);
        return atomicAdd(&next, places);
    }
};

/// Copies the positive numbers.
/// @param n      number of elements, a multiple of 32
/// @param x      n ints in device memory
/// @param found  as many ints as there are positive ones in device memory, written
/// @param free   the counter, in device memory
__global__ void pack(int n, const int* x, int* found, counter* free) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // the whole warp
    const bool wanted = x[i] > 0;
    // [task]
    const unsigned lane = threadIdx.x % 32;
    const unsigned all = __ballot_sync(0xFFFFFFFF, wanted);
    int first = 0;
    if (lane == 0 && all != 0) first = free->take(__popc(all));
    first = __shfl_sync(0xFFFFFFFF, first, 0);
    if (wanted) found[first + __popc(all & ((1u << lane) - 1))] = x[i];
    //= given
    //| if (wanted) found[free->take(1)] = x[i];
    //= mutant others_not_told
    //| const unsigned lane = threadIdx.x % 32;
    //| const unsigned all = __ballot_sync(0xFFFFFFFF, wanted);
    //| int first = 0;
    //| if (lane == 0 && all != 0) first = free->take(__popc(all));
    //| if (wanted) found[first + __popc(all & ((1u << lane) - 1))] = x[i];
    //= mutant counts_itself
    //| const unsigned lane = threadIdx.x % 32;
    //| const unsigned all = __ballot_sync(0xFFFFFFFF, wanted);
    //| int first = 0;
    //| if (lane == 0 && all != 0) first = free->take(__popc(all));
    //| first = __shfl_sync(0xFFFFFFFF, first, 0);
    //| if (wanted) found[first + __popc(all & ((2u << lane) - 1))] = x[i];
    //= mutant all_lanes_take
    //| const unsigned lane = threadIdx.x % 32;
    //| const unsigned all = __ballot_sync(0xFFFFFFFF, wanted);
    //| if (wanted) found[free->take(__popc(all)) % n + 0 * lane] = x[i];
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 32, 1 << 26) / 32 * 32;
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    std::vector<int> expected;
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<int>(lockstep::random_word(i));
        if (x[i] > 0) expected.push_back(x[i]);
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_found(std::vector<int>(n + 32, -1));
    lockstep::device_buffer<counter> d_free(1);
    d_free.fill_bytes(0);
    pack<<<(n + 255) / 256, 256>>>(n, d_x.data(), d_found.data(), d_free.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    const counter free = d_free.to_host()[0];
    std::vector<int> found = d_found.to_host();
    found.resize(expected.size());
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    verdict.equal("places taken", std::vector<int>{free.next},
                  std::vector<int>{static_cast<int>(expected.size())});
    verdict.equal("numbers found, sorted", found, expected,
                  lockstep::numbered("number"));
    verdict.holds(
        "one atomic operation a warp", free.operations <= static_cast<unsigned>(n) / 32,
        "more than one for every 32 elements: who takes the places of a warp?");
    return verdict.finish();
}
