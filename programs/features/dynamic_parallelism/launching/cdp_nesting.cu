// When is a kernel complete that launches kernels? When all grids below it are. Each
// block launches a grid of two more blocks, down to a given level; the root's tail, and
// the host after one synchronization, find all of them done.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// What the grids count.
struct tally {
    int blocks;  ///< that ended
    int grids;  ///< that were launched from the GPU
    int refused;  ///< launches that failed
    int when_root_ended;  ///< blocks that had ended when the root's block did
    int seen_by_tail;  ///< blocks that had ended when the root's tail began
};

// [node]
/// A block of the tree: launches two more blocks, then works for 5 us; one thread each.
/// @param levels  how many levels follow below this one
/// @param t       in device memory
__global__ void node(int levels, tally* t) {
    if (levels > 0) {
        node<<<2, 1>>>(levels - 1, t);
        atomicAdd(cudaGetLastError() == cudaSuccess ? &t->grids : &t->refused, 1);
    }
    lockstep::busy_wait(5'000);
    atomicAdd(&t->blocks, 1);
}

/// Notes how much of the tree is done; one thread.
/// @param t  in device memory
__global__ void look(tally* t) { t->seen_by_tail = t->blocks; }

/// The root of the tree; one thread.
/// @param levels  how many levels follow below it
/// @param t       in device memory
__global__ void root(int levels, tally* t) {
    look<<<1, 1, 0, cudaStreamTailLaunch>>>(t);
    node<<<2, 1>>>(levels - 1, t);
    atomicAdd(&t->grids, 1);
    t->when_root_ended = atomicAdd(&t->blocks, 1);
}
// [/node]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int levels = options.integer("levels", 8, 1, 10);
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<tally> d_tally(1);
    d_tally.fill_bytes(0);
    root<<<1, 1>>>(levels, d_tally.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    const tally found = d_tally.to_host()[0];
    const int all = (2 << levels) - 1;  // 1 + 2 + 4 + ... blocks
    lockstep::report("blocks of the tree", all);
    lockstep::report("grids launched by the GPU", found.grids);
    lockstep::report("ended before the root", lockstep::counted{found.when_root_ended});
    lockstep::report("ended before the tail", found.seen_by_tail);
    lockstep::report("ended before the host read", found.blocks);
    const bool right =
        found.blocks == all && found.seen_by_tail == all && found.refused == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
