// Find the largest number of an array and its index; of several equal numbers, the
// first. Each thread goes through its share of the elements with better(), beginning
// with none(); then a tree combines the candidates of the threads in the same way.
// Write these two functions.

#include <climits>
#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

struct candidate {
    int value;
    int place;
};

// [task]
/// What a thread begins with: no number is smaller, and no place later.
__device__ candidate none() { return {INT_MIN, INT_MAX}; }

/// The larger of two; of equal ones the one further left.
__device__ candidate better(candidate a, candidate b) {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.place < b.place ? a : b;
}
//= given
//| /// What a thread begins with: no number is smaller, and no place later.
//| __device__ candidate none() { return {0, 0}; }
//|
//| /// The larger of two; of equal ones the one further left.
//| __device__ candidate better(candidate a, candidate /*b*/) { return a; }
//= mutant begins_with_zero
//| __device__ candidate none() { return {0, INT_MAX}; }
//| __device__ candidate better(candidate a, candidate b) {
//|     if (a.value != b.value) return a.value > b.value ? a : b;
//|     return a.place < b.place ? a : b;
//| }
//= mutant ties_to_the_right
//| __device__ candidate none() { return {INT_MIN, INT_MAX}; }
//| __device__ candidate better(candidate a, candidate b) {
//|     if (a.value != b.value) return a.value > b.value ? a : b;
//|     return a.place > b.place ? a : b;
//| }
// [/task]

/// Finds the best candidate; one block.
/// @param n     number of elements
/// @param x     n ints in device memory
/// @param best  value and place in device memory, written
__global__ void find(int n, const int* x, int* best) {
    __shared__ candidate candidates[block_size];
    candidate mine = none();
    for (int i = threadIdx.x; i < n; i += block_size) mine = better(mine, {x[i], i});
    candidates[threadIdx.x] = mine;
    for (int width = block_size / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            candidates[threadIdx.x] =
                better(candidates[threadIdx.x], candidates[threadIdx.x + width]);
    }
    if (threadIdx.x == 0) {
        best[0] = candidates[0].value;
        best[1] = candidates[0].place;
    }
}

int main() {
    lockstep::require_device();

    std::vector<int> mixed(10'007);
    for (std::size_t i = 0; i < mixed.size(); ++i)
        mixed[i] = static_cast<int>(i * 7919 % 1009) - 500;
    const struct {
        const char* name;
        std::vector<int> x;
        std::vector<int> best;
    } cases[] = {
        {"one element", {-3}, {-3, 0}},
        {"all negative", {-9, -4, -7, -4, -30}, {-4, 1}},
        {"all equal", std::vector<int>(1000, 5), {5, 0}},
        {"many", mixed, {508, 0}},
        {"all INT_MIN", std::vector<int>(300, INT_MIN), {INT_MIN, 0}},
    };
    constexpr int poison = 0x55555555;
    lockstep::exercise_verdict verdict(poison);
    const auto place = [](std::size_t i) { return i == 0 ? "the value" : "the place"; };
    for (const auto& one : cases) {
        std::vector<int> best = one.best;
        if (one.x.size() > 5000)
            for (std::size_t i = 0; i < one.x.size(); ++i)
                if (one.x[i] == 508) {
                    best[1] = static_cast<int>(i);
                    break;
                }
        const lockstep::device_buffer<int> d_x(one.x);
        lockstep::device_buffer<int> d_best(std::vector<int>(2, poison));
        find<<<1, block_size>>>(static_cast<int>(one.x.size()), d_x.data(),
                                d_best.data());
        lockstep::check(cudaGetLastError());
        verdict.equal(one.name, d_best.to_host(), best, place);
    }
    return verdict.finish();
}
