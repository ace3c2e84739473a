// What does it cost to synchronize a group? That depends on where its threads are: a
// tile of 16 inside its warp, a block inside its SM, a whole grid through global
// memory. The alternative for a grid is to end the kernel and launch the next one,
// alone or in a graph. A grid can synchronize only if all its blocks are on the GPU
// together; with one block too many the launch is refused.

#include <cstdlib>

#include <cooperative_groups.h>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>
#include <lockstep/timer.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 256;
enum group { tile_of_16, block_group, bare_barrier, grid_group };

// [kernel]
/// Synchronizes a group again and again.
/// @tparam which  the group
/// @param rounds    number of synchronizations
/// @param finished  device value: counts the blocks that came to the end
template <group which>
__global__ void wait_for_group(int rounds, int* finished) {
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    for (int round = 0; round < rounds; ++round) {
        if (which == tile_of_16) tile.sync();
        if (which == block_group) block.sync();
        if (which == bare_barrier) __syncthreads();
        if (which == grid_group) grid.sync();
    }
    if (block.thread_rank() == 0) atomicAdd(finished, 1);
}
// [/kernel]

/// Does nothing: what is left is the launch.
__global__ void end_at_once() {}

/// Time of one synchronization in nanoseconds, or -1 if a block did not come to the
/// end.
template <group which>
double wait_ns(int blocks, int rounds) {
    lockstep::device_buffer<int> d_finished(1);
    d_finished.fill_bytes(0);
    int* finished = d_finished.data();
    int launches = 0;
    // [launch]
    void* parameters[] = {&rounds, &finished};
    const auto launch = [&] {
        lockstep::check(cudaLaunchCooperativeKernel(
            reinterpret_cast<const void*>(wait_for_group<which>), blocks, block_size,
            parameters, 0, nullptr));
        ++launches;
    };
    const lockstep::timing time = lockstep::time_back_to_back(launch);
    // [/launch]
    if (d_finished.to_host()[0] != blocks * launches) return -1;
    return time.median_ms * 1e6 / rounds;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 1000, 1, 100'000);
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    // [capacity]
    int sms = 0;
    int blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, wait_for_group<grid_group>, block_size, 0));
    const int capacity = sms * blocks_on_each;
    // [/capacity]
    lockstep::report("blocks that fit together", capacity);

    const double tile = wait_ns<tile_of_16>(sms, rounds);
    const double block = wait_ns<block_group>(sms, rounds);
    const double bare = wait_ns<bare_barrier>(sms, rounds);
    const double grid = wait_ns<grid_group>(sms, rounds);
    const double full_grid = wait_ns<grid_group>(capacity, rounds);
    // [instead]
    const double launch_ns = 1e6 * lockstep::time_back_to_back([&] {
                                       end_at_once<<<sms, block_size>>>();
                                   }).median_ms;
    // [/instead]
    lockstep::check(cudaGetLastError());
    // [graph]
    constexpr int kernels = 100;
    const lockstep::owned_stream stream;
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kernels; ++i) end_at_once<<<sms, block_size, 0, stream>>>();
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::owned_graph graph(captured);
    const cudaGraphExec_t executable = graph.instantiate();
    const double node_ns =
        1e6 / kernels *
        lockstep::time_on_device(
            [&] { lockstep::check(cudaGraphLaunch(executable, stream)); }, 20, stream)
            .median_ms;
    // [/graph]
    lockstep::report("sync, tile of 16", lockstep::measured{tile}, "ns");
    lockstep::report("sync, block of 256", lockstep::measured{block}, "ns");
    lockstep::report("__syncthreads", lockstep::measured{bare}, "ns");
    lockstep::report("sync, grid, 1 block an SM", lockstep::measured{grid}, "ns");
    lockstep::report("sync, grid, all that fit", lockstep::measured{full_grid}, "ns");
    lockstep::report("launch of an empty kernel", lockstep::measured{launch_ns}, "ns");
    lockstep::report("empty kernel in a graph", lockstep::measured{node_ns}, "ns");

    lockstep::device_buffer<int> d_finished(1);
    int* finished = d_finished.data();
    int no_rounds = 0;
    // [too-many]
    void* parameters[] = {&no_rounds, &finished};
    const cudaError_t too_many = cudaLaunchCooperativeKernel(
        reinterpret_cast<const void*>(wait_for_group<grid_group>), capacity + 1,
        block_size, parameters, 0, nullptr);
    lockstep::report("launch with one block more", cudaGetErrorName(too_many));
    // [/too-many]
    const bool right = tile > 0 && block > 0 && bare > 0 && grid > 0 && full_grid > 0;
    const bool as_expected = untimed || grid > 5 * block;
    return right && as_expected && too_many == cudaErrorCooperativeLaunchTooLarge
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
