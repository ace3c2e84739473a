// Store the even numbers of each tile one after the other, in the order of their
// threads, and return how many there are. A scan says how many threads before this one
// have an even number. All threads of the tile call your function.

#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int size = 16;

/// Stores the even numbers of a tile.
/// @param tile    all threads of the tile
/// @param number  this thread's number
/// @param out     room for one int of each thread in device memory
/// @return how many even numbers the tile has, for each thread
__device__ int pack_even(const cg::thread_block_tile<size>& tile, int number,
                         int* out) {
    // [task]
    const int wanted = number % 2 == 0;
    const int place = cg::exclusive_scan(tile, wanted);
    if (wanted) out[place] = number;
    return tile.shfl(place + wanted, size - 1);
    //= given
    //| // Which place does this thread's number get, and how many are there?
    //| if (number % 2 == 0) out[0] = number;
    //| return 1;
    //= mutant inclusive
    //| const int wanted = number % 2 == 0;
    //| const int place = cg::inclusive_scan(tile, wanted);
    //| if (wanted) out[place] = number;
    //| return tile.shfl(place, size - 1);
    //= mutant last_forgotten
    //| const int wanted = number % 2 == 0;
    //| const int place = cg::exclusive_scan(tile, wanted);
    //| if (wanted) out[place] = number;
    //| return tile.shfl(place, size - 1);
    //= mutant own_count
    //| const int wanted = number % 2 == 0;
    //| const int place = cg::exclusive_scan(tile, wanted);
    //| if (wanted) out[place] = number;
    //| return place + wanted;
    //= mutant by_rank
    //| const int wanted = number % 2 == 0;
    //| if (wanted) out[tile.thread_rank()] = number;
    //| return cg::reduce(tile, wanted, cg::plus<int>());
    // [/task]
}

/// Packs each tile's part of an array, and notes the numbers that were returned.
/// @param x       one int for each thread in device memory
/// @param out     as many ints in device memory, written in part
/// @param counts  as many ints in device memory, written
__global__ void pack(const int* x, int* out, int* counts) {
    const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[i] = pack_even(tile, x[i], out + i - tile.thread_rank());
}

int main() {
    lockstep::require_device();

    constexpr int blocks = 4, block_size = 64, n = blocks * block_size;
    std::vector<int> x(n), packed(n, -1), counts(n);
    for (int i = 0; i < n; ++i) x[i] = i / size % 3 == 0 ? 2 * i : i * 7919 % 1013;
    for (int tile = 0; tile < n; tile += size) {
        int count = 0;
        for (int i = tile; i < tile + size; ++i)
            if (x[i] % 2 == 0) packed[tile + count++] = x[i];
        for (int i = tile; i < tile + size; ++i) counts[i] = count;
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_out(n), d_counts(n);
    d_out.fill_bytes(0xFF);
    d_counts.fill_bytes(0xFF);
    pack<<<blocks, block_size>>>(d_x.data(), d_out.data(), d_counts.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("counts", d_counts.to_host(), counts,
                  lockstep::in_groups(size, "tile", "thread"));
    verdict.equal("numbers", d_out.to_host(), packed,
                  lockstep::in_groups(size, "tile", "place"));
    return verdict.finish();
}
