// A tile of 32 x 32 words is transposed in shared memory. All words of a column lie in
// one bank, so reading a column is a 32-way bank conflict. Remove the conflicts, by
// padding or by a swizzle (a permutation of the columns in each row). The result must
// stay the same, and the kernel must become faster.

#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;

/// Transposes a tile again and again; the reference.
/// @param times  how often
/// @param data   tiles of 32 x 32 ints in device memory, changed in place
__global__ void transpose_plainly(int times, int* data) {
    __shared__ int words[tile][tile];
    int mine = data[blockIdx.x * tile * tile + threadIdx.y * tile + threadIdx.x];
    for (int time = 0; time < times; ++time) {
        words[threadIdx.y][threadIdx.x] = mine;
        __syncthreads();
        mine = words[threadIdx.x][threadIdx.y] + 1;
        __syncthreads();
    }
    data[blockIdx.x * tile * tile + threadIdx.y * tile + threadIdx.x] = mine;
}

/// Transposes a tile again and again, and adds 1 each time.
/// @param times  how often
/// @param data   tiles of 32 x 32 ints in device memory, changed in place
__global__ void transpose(int times, int* data) {
    int mine = data[blockIdx.x * tile * tile + threadIdx.y * tile + threadIdx.x];
    // [task]
    __shared__ int words[tile][tile + 1];
    for (int time = 0; time < times; ++time) {
        words[threadIdx.y][threadIdx.x] = mine;
        __syncthreads();
        mine = words[threadIdx.x][threadIdx.y] + 1;
        __syncthreads();
    }
    //= given
    //| __shared__ int words[tile][tile];
    //| for (int time = 0; time < times; ++time) {
    //|     words[threadIdx.y][threadIdx.x] = mine;
    //|     __syncthreads();
    //|     mine = words[threadIdx.x][threadIdx.y] + 1;
    //|     __syncthreads();
    //| }
    //= mutant permuted_on_one_side_only
    //| __shared__ int words[tile][tile];
    //| for (int time = 0; time < times; ++time) {
    //|     words[threadIdx.y][threadIdx.x ^ threadIdx.y] = mine;
    //|     __syncthreads();
    //|     mine = words[threadIdx.x][threadIdx.y] + 1;
    //|     __syncthreads();
    //| }
    //= mutant padded_by_a_whole_row
    //| __shared__ int words[tile][2 * tile];
    //| for (int time = 0; time < times; ++time) {
    //|     words[threadIdx.y][threadIdx.x] = mine;
    //|     __syncthreads();
    //|     mine = words[threadIdx.x][threadIdx.y] + 1;
    //|     __syncthreads();
    //| }
    // [/task]
    data[blockIdx.x * tile * tile + threadIdx.y * tile + threadIdx.x] = mine;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    // 2 for each SM of an H200; any other number is right, too
    const int blocks = options.integer("blocks", 264, 1, 10'000);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const int times = untimed ? 3 : 301;
    std::vector<int> data(blocks * tile * tile);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
    lockstep::device_buffer<int> d_expected(data);
    lockstep::device_buffer<int> d_data(data);
    const dim3 block(tile, tile);
    const auto plainly = [&] {
        transpose_plainly<<<blocks, block>>>(times, d_expected.data());
    };
    const auto mine = [&] { transpose<<<blocks, block>>>(times, d_data.data()); };
    plainly();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict;
    verdict.equal("transposed tiles", d_data.to_host(), d_expected.to_host(),
                  lockstep::in_groups(tile * tile, "tile",
                                      lockstep::in_groups(tile, "row", "column")));
    if (!untimed) {
        const double before = lockstep::time_on_device(plainly).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over conflicts", before / now, 4,
                         "in which banks do the words of a column lie?");
    }
    return verdict.finish();
}
