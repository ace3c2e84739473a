// When does a cluster pay? When a few blocks exchange data again and again. Each cell
// of a ring becomes the sum of its two neighbors, for many rounds. Without a cluster,
// each round is a kernel of its own, or a barrier of the whole grid; a cluster of eight
// blocks keeps the ring in its shared memory and synchronizes at its own barrier.

#include <cstdlib>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;
constexpr int blocks = 8;
constexpr int n = blocks * block_size;

// [one-round]
/// One round: each cell becomes the sum of its neighbors in the ring.
/// @param in   n cells in device memory
/// @param out  n cells in device memory
__global__ void one_round(const unsigned* in, unsigned* out) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    out[i] = in[(i + n - 1) % n] + in[(i + 1) % n];
}
// [/one-round]

// [rounds-in-grid]
/// All rounds in one kernel, with a barrier of the grid after each.
/// @param rounds  even number of rounds
/// @param x       n cells in device memory: the start, and in the end the result
/// @param y       room for n cells in device memory
__global__ void rounds_in_grid(int rounds, unsigned* x, unsigned* y) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    for (int round = 0; round < rounds; round += 2) {
        y[i] = x[(i + n - 1) % n] + x[(i + 1) % n];
        cg::this_grid().sync();
        x[i] = y[(i + n - 1) % n] + y[(i + 1) % n];
        cg::this_grid().sync();
    }
}
// [/rounds-in-grid]

// [rounds-in-cluster]
/// All rounds in one kernel, in the shared memory of a cluster.
/// @param rounds  number of rounds
/// @param x       n cells in device memory: the start, and in the end the result
__global__ void __cluster_dims__(blocks, 1, 1)
    rounds_in_cluster(int rounds, unsigned* x) {
    __shared__ unsigned cells[2][block_size];  // read one, write the other
    const cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    const unsigned rank = cluster.block_rank();
    cells[0][t] = x[rank * block_size + t];
    cluster.sync();
    for (int round = 0; round < rounds; ++round) {
        unsigned* from = cells[round % 2];
        const unsigned left =
            t > 0 ? from[t - 1]
                  : cluster.map_shared_rank(
                        from, (rank + blocks - 1) % blocks)[block_size - 1];
        const unsigned right =
            t < block_size - 1 ? from[t + 1]
                               : cluster.map_shared_rank(from, (rank + 1) % blocks)[0];
        cells[(round + 1) % 2][t] = left + right;
        cluster.sync();
    }
    x[rank * block_size + t] = cells[rounds % 2][t];
}
// [/rounds-in-cluster]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = 2 * options.integer("round-pairs", 500, 1, 10'000);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> start(n);
    for (int i = 0; i < n; ++i) start[i] = i % 7;
    std::vector<unsigned> expected = start;
    std::vector<unsigned> next(n);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i)
            next[i] = expected[(i + n - 1) % n] + expected[(i + 1) % n];
        std::swap(expected, next);
    }

    lockstep::device_buffer<unsigned> d_x(n);
    lockstep::device_buffer<unsigned> d_y(n);
    unsigned* x = d_x.data();
    unsigned* y = d_y.data();
    // [ways]
    const auto with_launches = [&] {
        for (int round = 0; round < rounds; round += 2) {
            one_round<<<blocks, block_size>>>(x, y);
            one_round<<<blocks, block_size>>>(y, x);
        }
    };
    const auto with_grid = [&] {
        int count = rounds;
        void* parameters[] = {&count, &x, &y};
        lockstep::check(
            cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(rounds_in_grid),
                                        blocks, block_size, parameters, 0, nullptr));
    };
    const auto with_cluster = [&] {
        rounds_in_cluster<<<blocks, block_size>>>(rounds, x);
    };
    // [/ways]

    std::size_t wrong = 0;
    const auto measure = [&](const char* label, const auto& variant) {
        lockstep::check(cudaMemcpy(x, start.data(), d_x.bytes(), cudaMemcpyDefault));
        d_y.fill_bytes(0xFF);
        variant();
        lockstep::check(cudaGetLastError());
        wrong += lockstep::count_mismatches(d_x.to_host(), expected);
        const double us = lockstep::time_on_device(variant).median_ms * 1e3 / rounds;
        lockstep::report(label, lockstep::measured{us}, "us a round");
        return us;
    };
    lockstep::report("cells", n);
    lockstep::report("rounds", rounds);
    const double launches_us = measure("a kernel for each round", with_launches);
    const double grid_us = measure("grid barrier", with_grid);
    const double cluster_us = measure("cluster barrier", with_cluster);
    lockstep::report("wrong cells", wrong);
    const bool pays = cluster_us < grid_us && cluster_us < launches_us;
    return wrong == 0 && (untimed || pays) ? EXIT_SUCCESS : EXIT_FAILURE;
}
