// Give each lane the sum of the values of all lower lanes, without its own value: an
// exclusive scan of a warp. Five shuffles are enough. Take care of the lanes that have
// no lane that far to their left.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// The sum of the words of all lower lanes; called by a whole warp.
/// @param word  of this lane
__device__ int sum_before(int word) {
    // [task]
    int sum = word;
    for (int width = 1; width < 32; width *= 2) {
        const int left = __shfl_up_sync(0xFFFFFFFF, sum, width);
        if (threadIdx.x % 32 >= width) sum += left;
    }
    return sum - word;
    //= given
    //| return word;
    //= mutant inclusive
    //| int sum = word;
    //| for (int width = 1; width < 32; width *= 2) {
    //|     const int left = __shfl_up_sync(0xFFFFFFFF, sum, width);
    //|     if (threadIdx.x % 32 >= width) sum += left;
    //| }
    //| return sum;
    //= mutant lowest_lanes_forgotten
    //| int sum = word;
    //| for (int width = 1; width < 32; width *= 2)
    //|     sum += __shfl_up_sync(0xFFFFFFFF, sum, width);
    //| return sum - word;
    //= mutant half_a_warp
    //| int sum = word;
    //| for (int width = 1; width < 16; width *= 2) {
    //|     const int left = __shfl_up_sync(0xFFFFFFFF, sum, width);
    //|     if (threadIdx.x % 32 >= width) sum += left;
    //| }
    //| return sum - word;
    // [/task]
}

/// Scans each warp's words.
/// @param words  one int for each thread in device memory, changed in place
__global__ void scan(int* words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    words[i] = sum_before(words[i]);
}

int main() {
    lockstep::require_device();

    constexpr int threads = 256;
    constexpr int n = 40 * threads;
    std::vector<int> words(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) words[i] = static_cast<int>(i * 7919u % 211u) - 100;
    for (int i = 0; i < n; ++i)
        expected[i] = i % 32 == 0 ? 0 : expected[i - 1] + words[i - 1];
    lockstep::device_buffer<int> d_words(words);
    scan<<<n / threads, threads>>>(d_words.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict;
    verdict.equal("sums before each lane", d_words.to_host(), expected,
                  lockstep::in_groups(32, "warp", "lane"));
    return verdict.finish();
}
