// Several ranks each scale an array of their own size by a factor of their own. The
// starter launches a small kernel for each rank. Write it without ranks: one launch in
// which the blocks of row r of the grid scale the array of rank r. The arrays lie one
// after the other in x; that of rank r begins at first[r] and ends before first[r + 1].

#include <algorithm>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;

/// Scales arrays, and counts its launches.
/// @param first     where the arrays begin in x, and where the last one ends, in device
/// memory
/// @param factor    one factor for each array in device memory
/// @param x         the arrays in device memory, changed in place
/// @param launches  a counter in device memory
__global__ void scale(const int* first, const int* factor, int* x, int* launches) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 && blockIdx.y == 0) atomicAdd(launches, 1);
    // [task-kernel]
    const int rank = blockIdx.y;
    const int n = first[rank + 1] - first[rank];
    if (i < n) x[first[rank] + i] *= factor[rank];
    //= given
    //| const int n = first[1] - first[0];
    //| if (i < n) x[first[0] + i] *= factor[0];
    //= mutant size_of_the_largest
    //| const int rank = blockIdx.y;
    //| const int n = gridDim.x * blockDim.x;
    //| if (i < n && first[rank] + i < first[gridDim.y])
    //|     x[first[rank] + i] *= factor[rank];
    //= mutant factor_of_the_first
    //| const int rank = blockIdx.y;
    //| const int n = first[rank + 1] - first[rank];
    //| if (i < n) x[first[rank] + i] *= factor[0];
    // [/task-kernel]
}

int main() {
    lockstep::require_device();

    const std::vector<int> sizes{300, 1, 0, 1000, 128, 777};
    const int ranks = int(sizes.size());
    std::vector<int> first{0}, factor;
    for (int rank = 0; rank < ranks; ++rank) {
        first.push_back(first.back() + sizes[rank]);
        factor.push_back(3 + 2 * rank);
    }
    std::vector<int> x(first.back()), expected(first.back());
    for (int rank = 0; rank < ranks; ++rank)
        for (int i = first[rank]; i < first[rank + 1]; ++i) {
            x[i] = int(lockstep::random_word(i) % 1000) + 1;
            expected[i] = x[i] * factor[rank];
        }
    const lockstep::device_buffer<int> d_first(first), d_factor(factor);
    lockstep::device_buffer<int> d_x(x), d_launches(std::vector<int>{0});
    // [task-launch]
    const int largest = *std::max_element(sizes.begin(), sizes.end());
    const dim3 grid((largest + block_size - 1) / block_size, ranks);
    scale<<<grid, block_size>>>(d_first.data(), d_factor.data(), d_x.data(),
                                d_launches.data());
    lockstep::check(cudaGetLastError());
    //= given
    //| for (int rank = 0; rank < ranks; ++rank) {
    //|     if (sizes[rank] == 0) continue;
    //|     const int blocks = (sizes[rank] + block_size - 1) / block_size;
    //|     scale<<<blocks, block_size>>>(d_first.data() + rank, d_factor.data() + rank,
    //|                                   d_x.data(), d_launches.data());
    //|     lockstep::check(cudaGetLastError());
    //| }
    //= mutant grid_of_the_first
    //| const dim3 grid((sizes[0] + block_size - 1) / block_size, ranks);
    //| scale<<<grid, block_size>>>(d_first.data(), d_factor.data(), d_x.data(),
    //|                             d_launches.data());
    //| lockstep::check(cudaGetLastError());
    // [/task-launch]

    lockstep::exercise_verdict verdict;
    const std::vector<int> found = d_x.to_host();
    const char* names[] = {"rank 0, 300 elements", "rank 1, 1 element",
                           "rank 2, no element",   "rank 3, 1000 elements",
                           "rank 4, 128 elements", "rank 5, 777 elements"};
    for (int rank = 0; rank < ranks; ++rank)
        verdict.equal(names[rank],
                      std::vector<int>(found.begin() + first[rank],
                                       found.begin() + first[rank + 1]),
                      std::vector<int>(expected.begin() + first[rank],
                                       expected.begin() + first[rank + 1]));
    verdict.holds("one launch", d_launches.to_host()[0] == 1,
                  "let a row of the grid, blockIdx.y, stand for a rank");
    return verdict.finish();
}
