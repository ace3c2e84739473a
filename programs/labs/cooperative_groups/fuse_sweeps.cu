// Smooth a line of cells in many sweeps, in one launch. Each thread keeps its cell in a
// register from the first sweep to the last, and finds its neighbors in shared memory.
// Only the outermost cells of a block must reach the blocks next to it, through global
// memory. Write this exchange.

#include <cstdio>
#include <utility>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 64;
constexpr int not_kept = -1;  // a cell that went to memory before the last sweep

/// Reads what a neighbor has shown; one block is slow.
__device__ int look(const int* shown) {
    if (blockIdx.x == 5) lockstep::busy_wait(30'000);
    return *shown;
}

/// All sweeps. A cell becomes the mean of itself, which counts twice, and its
/// neighbors.
/// @param sweeps  number of sweeps
/// @param cells   one int for each thread of the grid in device memory, replaced
/// @param edges   four ints for each block in device memory, to show outermost cells
__global__ void smooth(int sweeps, int* cells, int* edges) {
    __shared__ int words[block_size + 2];  // the block's cells between two neighbors
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const int b = static_cast<int>(grid.block_rank());
    const int blocks = static_cast<int>(grid.num_blocks());
    const int i = static_cast<int>(block.thread_rank());
    const bool left_end = b == 0 && i == 0;
    const bool right_end = b == blocks - 1 && i == block_size - 1;
    const int start = cells[grid.thread_rank()];
    int cell = start;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        words[i + 1] = cell;
        // [task]
        int* shown = edges + sweep % 2 * 2 * blocks;
        if (i == 0) shown[2 * b] = cell;
        if (i == block_size - 1) shown[2 * b + 1] = cell;
        grid.sync();
        if (i == 0 && b > 0) words[0] = look(shown + 2 * b - 1);
        if (i == block_size - 1 && b < blocks - 1)
            words[block_size + 1] = look(shown + 2 * b + 2);
        block.sync();
        //= given
        //| // The outermost cells of the neighbors: whence, and when?
        //| if (i == 0) words[0] = cell;
        //| if (i == block_size - 1) words[block_size + 1] = cell;
        //| block.sync();
        //= mutant block_waits
        //| int* shown = edges + sweep % 2 * 2 * blocks;
        //| if (i == 0) shown[2 * b] = cell;
        //| if (i == block_size - 1) shown[2 * b + 1] = cell;
        //| block.sync();
        //| if (i == 0 && b > 0) words[0] = look(shown + 2 * b - 1);
        //| if (i == block_size - 1 && b < blocks - 1)
        //|     words[block_size + 1] = look(shown + 2 * b + 2);
        //| block.sync();
        //= mutant one_buffer
        //| if (i == 0) edges[2 * b] = cell;
        //| if (i == block_size - 1) edges[2 * b + 1] = cell;
        //| grid.sync();
        //| if (i == 0 && b > 0) words[0] = look(edges + 2 * b - 1);
        //| if (i == block_size - 1 && b < blocks - 1)
        //|     words[block_size + 1] = look(edges + 2 * b + 2);
        //| block.sync();
        //= mutant far_edges
        //| int* shown = edges + sweep % 2 * 2 * blocks;
        //| if (i == 0) shown[2 * b] = cell;
        //| if (i == block_size - 1) shown[2 * b + 1] = cell;
        //| grid.sync();
        //| if (i == 0 && b > 0) words[0] = look(shown + 2 * b - 2);
        //| if (i == block_size - 1 && b < blocks - 1)
        //|     words[block_size + 1] = look(shown + 2 * b + 3);
        //| block.sync();
        //= mutant all_cells_through_memory
        //| cells[grid.thread_rank()] = cell;
        //| grid.sync();
        //| if (i == 0 && b > 0) words[0] = look(cells + grid.thread_rank() - 1);
        //| if (i == block_size - 1 && b < blocks - 1)
        //|     words[block_size + 1] = look(cells + grid.thread_rank() + 1);
        //| grid.sync();
        // [/task]
        if (!left_end && !right_end) cell = (words[i] + 2 * cell + words[i + 2]) / 4;
        block.sync();  // all have read their neighbors
    }
    const bool kept = cells[grid.thread_rank()] == start;  // for the check
    cells[grid.thread_rank()] = kept ? cell : not_kept;
}

int main() {
    lockstep::require_device();

    constexpr int blocks = 12, n = blocks * block_size;
    lockstep::exercise_verdict verdict;
    for (int sweeps : {1, 2, 60}) {
        std::vector<int> cells(n), expected(n), next(n);
        for (int i = 0; i < n; ++i) expected[i] = cells[i] = i * 7919 % 100'003;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (int i = 0; i < n; ++i)
                next[i] =
                    i == 0 || i == n - 1
                        ? expected[i]
                        : (expected[i - 1] + 2 * expected[i] + expected[i + 1]) / 4;
            std::swap(expected, next);
        }
        lockstep::device_buffer<int> d_cells(cells), d_edges(4 * blocks);
        d_edges.fill_bytes(0);
        int* in_out = d_cells.data();
        int* edges = d_edges.data();
        void* arguments[] = {&sweeps, &in_out, &edges};
        lockstep::check(cudaLaunchCooperativeKernel(smooth, blocks, block_size,
                                                    arguments, 0, nullptr));
        cells = d_cells.to_host();
        int wrong = 0, at = 0;  // wrong cells, and the first of them
        for (int i = n; i-- > 0;)
            if (cells[i] != expected[i]) ++wrong, at = i;
        char label[24], advice[160];
        std::snprintf(label, sizeof label, "cells after sweep %d", sweeps);
        std::snprintf(advice, sizeof advice,
                      "thread %d of block %d has %d, expected %d; %d of %d cells are "
                      "wrong",
                      at % block_size, at / block_size, cells[at], expected[at], wrong,
                      n);
        if (cells[at] == not_kept)
            std::snprintf(
                advice, sizeof advice,
                "thread %d of block %d stored its cell before the last sweep: "
                "only outermost cells are shown, in edges",
                at % block_size, at / block_size);
        verdict.holds(label, wrong == 0, advice);
    }
    return verdict.finish();
}
