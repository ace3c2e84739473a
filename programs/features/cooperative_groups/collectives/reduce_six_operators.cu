// Which reductions does a group have? Six operators, each of which gives every thread
// of the group the result. A lambda is an operator, too. The group may be a tile of any
// size, or the threads that took a branch.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int size = 32;
constexpr int results = 9;

// [kernel]
/// Reduces the values of a warp in nine ways.
/// @param x      32 ints in device memory
/// @param found  results x 32 ints in device memory: what each thread received
__global__ void reduce_all(const int* x, int* found) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<size>(block);
    const int rank = warp.thread_rank();
    const int value = x[rank];
    found[0 * size + rank] = cg::reduce(warp, value, cg::plus<int>());
    found[1 * size + rank] = cg::reduce(warp, value, cg::less<int>());
    found[2 * size + rank] = cg::reduce(warp, value, cg::greater<int>());
    found[3 * size + rank] = cg::reduce(warp, value, cg::bit_and<int>());
    found[4 * size + rank] = cg::reduce(warp, value, cg::bit_or<int>());
    found[5 * size + rank] = cg::reduce(warp, value, cg::bit_xor<int>());

    const auto times = [](int a, int b) { return a * b % 1009; };  // any order will do
    found[6 * size + rank] = cg::reduce(warp, value, times);

    const auto tile = cg::tiled_partition<8>(warp);
    found[7 * size + rank] = cg::reduce(tile, value, cg::plus<int>());

    const auto third = cg::binary_partition(warp, rank % 3 == 0);
    found[8 * size + rank] = cg::reduce(third, value, cg::plus<int>());
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> x(size);
    for (int i = 0; i < size; ++i) x[i] = 960 + i * 7 % 32;
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_found(results * size);
    d_found.fill_bytes(0xFF);
    reduce_all<<<1, size>>>(d_x.data(), d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> found = d_found.to_host();

    std::vector<int> expected(results * size);
    int whole[7] = {0, x[0], x[0], -1, 0, 0, 1};
    for (const int value : x) {
        whole[0] += value;
        whole[1] = std::min(whole[1], value);
        whole[2] = std::max(whole[2], value);
        whole[3] &= value;
        whole[4] |= value;
        whole[5] ^= value;
        whole[6] = whole[6] * value % 1009;
    }
    for (int rank = 0; rank < size; ++rank) {
        for (int i = 0; i < 7; ++i) expected[i * size + rank] = whole[i];
        for (int other = 0; other < size; ++other) {
            if (other / 8 == rank / 8) expected[7 * size + rank] += x[other];
            if ((other % 3 == 0) == (rank % 3 == 0))
                expected[8 * size + rank] += x[other];
        }
    }
    const char* names[results] = {"plus",
                                  "less",
                                  "greater",
                                  "bit_and",
                                  "bit_or",
                                  "bit_xor",
                                  "lambda, product % 1009",
                                  "plus, first tile of 8",
                                  "plus, every third thread"};
    for (int i = 0; i < results; ++i) lockstep::report(names[i], found[i * size]);
    return found == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
