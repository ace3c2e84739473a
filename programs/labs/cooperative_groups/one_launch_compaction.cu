// Collect the positive numbers of an array, in order, in one launch. Each block loads
// its share, keeps it in shared memory, and counts. Before it stores, it must know how
// many numbers the blocks before it have. Write what stands between counting and
// storing, and launch the kernel with as many blocks as it may have.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 32;  // one tile
constexpr int room = 12'000;    // elements of a block, at most

/// Collects the positive numbers.
/// @param n       number of elements, at most `room` for each block
/// @param x       n ints in device memory
/// @param packed  room for n ints in device memory, written from the front
/// @param counts  an int for each block in device memory, written; from counts[n] on,
///                for the check, launches and blocks
__global__ void compact(int n, const int* x, int* packed, int* counts) {
    __shared__ int kept[room];
    const cg::grid_group grid = cg::this_grid();
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = static_cast<int>(tile.thread_rank());
    const int blocks = static_cast<int>(grid.num_blocks());
    const int block = static_cast<int>(grid.block_rank());
    if (block == 0 && lane == 0) ++counts[n], counts[n + 1] = blocks;
    const int share = (n + blocks - 1) / blocks;
    if (share > room) return;  // all blocks do: there are too few
    const int first = min(n, block * share), size = min(share, n - first);

    int count = 0;
    for (int i = lane; i < size; i += 32) {
        kept[i] = x[first + i];
        count += kept[i] > 0;
    }
    if (block == 7 && lane == 0) lockstep::busy_wait(50'000);  // one thread is slow
    count = cg::reduce(tile, count, cg::plus<int>());
    // [task-kernel]
    if (lane == 0) counts[block] = count;
    grid.sync();
    int before = 0;
    for (int b = lane; b < block; b += 32) before += counts[b];
    before = cg::reduce(tile, before, cg::plus<int>());
    //= given
    //| // How many numbers do the blocks before this one have?
    //| counts[block] = count;
    //| int before = 0;
    //| for (int b = 0; b < block; ++b) before += counts[b];
    //= mutant block_waits
    //| if (lane == 0) counts[block] = count;
    //| cg::this_thread_block().sync();
    //| int before = 0;
    //| for (int b = 0; b < block; ++b) before += counts[b];
    //= mutant counts_itself
    //| if (lane == 0) counts[block] = count;
    //| grid.sync();
    //| int before = 0;
    //| for (int b = 0; b <= block; ++b) before += counts[b];
    //= mutant order_of_arrival
    //| int before = 0;
    //| if (block == 0 && lane == 0) counts[0] = 0;
    //| grid.sync();
    //| if (lane == 0) before = atomicAdd(counts, count);
    //| before = tile.shfl(before, 0);
    //= mutant counted_by_an_earlier_launch
    //| if (lane == 0) counts[block] = count;
    //| int before = 0;
    //| for (int b = 0; b < block; ++b) before += counts[b];
    // [/task-kernel]
    for (int row = 0; row < size; row += 32) {
        const int number = row + lane < size ? kept[row + lane] : 0;
        const unsigned wanted = tile.ballot(number > 0);
        if (number > 0) packed[before + __popc(wanted & ((1u << lane) - 1))] = number;
        before += __popc(wanted);
    }
}

/// Launches compact() once; the arrays are those of the kernel.
/// @return what the launch returned
cudaError_t launch(int n, const int* x, int* packed, int* counts) {
    // [task-launch]
    int sms = 0, blocks_on_each = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_on_each, compact, block_size, 0));
    const int useful = (n + block_size - 1) / block_size;
    void* arguments[] = {&n, &x, &packed, &counts};
    return cudaLaunchCooperativeKernel(compact, std::min(useful, sms * blocks_on_each),
                                       block_size, arguments, 0, nullptr);
    //= given
    //| const int useful = (n + block_size - 1) / block_size;
    //| compact<<<useful, block_size>>>(n, x, packed, counts);
    //| return cudaGetLastError();
    //= mutant plain_launch
    //| const int useful = (n + block_size - 1) / block_size;
    //| compact<<<std::min(useful, 132), block_size>>>(n, x, packed, counts);
    //| return cudaGetLastError();
    //= mutant as_many_as_useful
    //| const int useful = (n + block_size - 1) / block_size;
    //| void* arguments[] = {&n, &x, &packed, &counts};
    //| return cudaLaunchCooperativeKernel(compact, useful, block_size, arguments, 0,
    //|                                    nullptr);
    //= mutant counted_by_an_earlier_launch
    //| int sms = 0, blocks_on_each = 0;
    //| lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    //| lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    //|     &blocks_on_each, compact, block_size, 0));
    //| const int useful = (n + block_size - 1) / block_size;
    //| const int blocks = std::min(useful, sms * blocks_on_each);
    //| compact<<<blocks, block_size>>>(n, x, packed, counts);  // counts
    //| compact<<<blocks, block_size>>>(n, x, packed, counts);  // finds the counts
    //| return cudaGetLastError();
    //= mutant one_block_on_each_sm
    //| int sms = 0;
    //| lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    //| const int useful = (n + block_size - 1) / block_size;
    //| void* arguments[] = {&n, &x, &packed, &counts};
    //| return cudaLaunchCooperativeKernel(compact, std::min(useful, sms), block_size,
    //|                                    arguments, 0, nullptr);
    // [/task-launch]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 200'003, 1, 400'000);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n), expected;
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<int>(lockstep::random_word(i) % 1000) - 300 - i % 400;
        if (x[i] > 0) expected.push_back(x[i]);
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_packed(n), d_counts(n + 2);
    d_packed.fill_bytes(0);
    d_counts.fill_bytes(0);
    const cudaError_t launched =
        launch(n, d_x.data(), d_packed.data(), d_counts.data());
    const cudaError_t ended = cudaDeviceSynchronize();

    std::string fault;  // of the launch
    if (launched == cudaErrorCooperativeLaunchTooLarge) {
        fault = "refused: the GPU cannot hold so many blocks at a time";
    } else if (launched != cudaSuccess) {
        fault = cudaGetErrorName(launched);
    } else if (ended == cudaSuccess) {
        const std::vector<int> noted = d_counts.to_host();
        int sms = 0, on_each = 0;
        lockstep::check(
            cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
        lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&on_each, compact,
                                                                      block_size, 0));
        const int most = std::min((n + block_size - 1) / block_size, sms * on_each);
        if (noted[n] != 1)
            fault = "there were " + std::to_string(noted[n]) + " launches, not one";
        else if (noted[n + 1] < most)
            fault = "with " + std::to_string(noted[n + 1]) + " blocks, where " +
                    std::to_string(most) + " fit and have work";
    }
    lockstep::exercise_verdict verdict;
    verdict.holds("launch", fault.empty(), fault.c_str());
    verdict.holds("end of the kernel", ended == cudaSuccess,
                  "it was stopped; a barrier of the grid needs a cooperative launch");
    if (launched != cudaSuccess || ended != cudaSuccess) return verdict.finish();
    std::vector<int> packed = d_packed.to_host();
    const bool gap = std::count(packed.begin(), packed.end(), 0) !=
                     static_cast<std::ptrdiff_t>(packed.size() - expected.size());
    packed.resize(expected.size());
    verdict.holds("a place for each number", !gap,
                  "blocks stored to the same places: each begins after the numbers of "
                  "all blocks before it, and knows them when all have counted");
    verdict.equal("numbers, in order", packed, expected);
    return verdict.finish();
}
