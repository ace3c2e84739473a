// Which thread of its group am I? Every group answers by the same names: thread_rank()
// is the thread's number and num_threads() the size. A block has a shape, too:
// thread_index() and dim_threads() are threadIdx and blockDim. Ranks count along x
// first, then y, then z.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

/// What one thread learns from its groups.
struct place {
    dim3 index;            ///< in the block, three numbers
    dim3 shape;            ///< of the block
    unsigned rank;         ///< in the block, one number
    unsigned size;         ///< of the block
    unsigned block_rank;   ///< of the block in the grid
    unsigned grid_rank;    ///< in the grid
    unsigned grid_size;    ///< of the grid, in threads
};

// [kernel]
/// Each thread notes its place.
/// @param places  one place for each thread in device memory, written
__global__ void find_places(place* places) {
    const cg::thread_block block = cg::this_thread_block();
    const cg::grid_group grid = cg::this_grid();
    places[grid.thread_rank()] = {block.thread_index(),
                                  block.dim_threads(),
                                  block.thread_rank(),
                                  block.num_threads(),
                                  static_cast<unsigned>(grid.block_rank()),
                                  static_cast<unsigned>(grid.thread_rank()),
                                  static_cast<unsigned>(grid.num_threads())};
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int blocks = 2;
    const dim3 shape(4, 3, 2);
    constexpr unsigned size = 24;
    lockstep::device_buffer<place> d_places(blocks * size);
    d_places.fill_bytes(0xFF);
    find_places<<<blocks, shape>>>(d_places.data());
    lockstep::check(cudaGetLastError());
    const std::vector<place> places = d_places.to_host();

    bool right = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const place& here = places[i];
        right = right && here.grid_rank == i && here.grid_size == places.size() &&
                here.rank == i % size && here.size == size &&
                here.block_rank == i / size && here.shape.x == shape.x &&
                here.shape.y == shape.y && here.shape.z == shape.z &&
                (here.index.z * shape.y + here.index.y) * shape.x + here.index.x ==
                    here.rank;
    }
    std::printf("block  thread_index()  rank in block  of  rank in grid  of\n");
    for (const std::size_t i : {0, 1, 4, 12, 23, 24, 47}) {
        const place& here = places[i];
        std::printf("%5u  (%u, %u, %u)       %13u  %2u  %12u  %2u\n", here.block_rank,
                    here.index.x, here.index.y, here.index.z, here.rank, here.size,
                    here.grid_rank, here.grid_size);
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
