// How does a tiled transpose treat edges? A thread reads one element and writes
// another, so it needs two bounds checks, one for each. With one check for both,
// matrices that are no multiple of 32 lose elements, and threads write outside of the
// matrix. Canaries around the result count both mistakes.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int tile = 32;
constexpr int canary = -1;

// [own]
/// Transposes; each side of the copy is guarded with its own indices.
/// @param n      rows and columns
/// @param pitch  elements from row to row, at least n
/// @param in     device matrix of n x n in rows of `pitch`
/// @param out    device matrix of n x n in rows of `pitch`
__global__ void transpose_own_guards(int n, int pitch, const int* in, int* out) {
    __shared__ int words[tile][tile + 1];
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    if (row < n && column < n)
        words[threadIdx.y][threadIdx.x] = in[row * pitch + column];
    __syncthreads();  // outside the branch: all threads of the block arrive
    const int out_row = blockIdx.x * tile + threadIdx.y;
    const int out_column = blockIdx.y * tile + threadIdx.x;
    if (out_row < n && out_column < n)
        out[out_row * pitch + out_column] = words[threadIdx.x][threadIdx.y];
}
// [/own]

// [shared]
/// The same, but the write is guarded with the indices of the read. Wrong.
/// @param n      rows and columns
/// @param pitch  elements from row to row; with fewer than n rounded up to whole tiles
///               it writes out of bounds
/// @param in     device matrix of n x n in rows of `pitch`
/// @param out    device matrix of `pitch` x `pitch`, of which n x n are wanted
__global__ void transpose_shared_guard(int n, int pitch, const int* in, int* out) {
    __shared__ int words[tile][tile + 1];
    // else the count would depend on what lay here before
    words[threadIdx.y][threadIdx.x] = 0;
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    if (row < n && column < n)
        words[threadIdx.y][threadIdx.x] = in[row * pitch + column];
    __syncthreads();
    const int out_row = blockIdx.x * tile + threadIdx.y;
    const int out_column = blockIdx.y * tile + threadIdx.x;
    if (row < n && column < n)
        out[out_row * pitch + out_column] = words[threadIdx.x][threadIdx.y];
}
// [/shared]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool own = options.choice("guards", {"own", "shared"}) == 0;
    const int one = options.integer("n", 0, 1, 4096);
    options.finish();
    lockstep::require_device();

    bool as_expected = true;
    std::printf("     n   never written   written outside\n");
    for (const int n : one ? std::vector<int>{one}
                           : std::vector<int>{1, 31, 32, 33, 40, 64, 100, 1000}) {
        // [canaries]
        const int tiles = (n + tile - 1) / tile;
        const int pitch = tiles * tile;  // room for all that any thread can write
        std::vector<int> in(std::size_t(pitch) * pitch, canary);
        for (int row = 0; row < n; ++row)
            for (int column = 0; column < n; ++column)
                in[row * pitch + column] = row * n + column;
        const lockstep::device_buffer<int> d_in(in);
        lockstep::device_buffer<int> d_out(std::vector<int>(in.size(), canary));
        // [/canaries]

        const dim3 grid(tiles, tiles);
        const dim3 block(tile, tile);
        if (own)
            transpose_own_guards<<<grid, block>>>(n, pitch, d_in.data(), d_out.data());
        else
            transpose_shared_guard<<<grid, block>>>(n, pitch, d_in.data(),
                                                    d_out.data());
        lockstep::check(cudaGetLastError());

        // [count]
        const std::vector<int> out = d_out.to_host();
        int missing = 0;
        int wrong = 0;
        int outside = 0;
        for (int row = 0; row < pitch; ++row) {
            for (int column = 0; column < pitch; ++column) {
                const int found = out[row * pitch + column];
                if (row >= n || column >= n)
                    outside += found != canary;
                else if (found == canary)
                    ++missing;
                else
                    wrong += found != column * n + row;
            }
        }
        // [/count]
        std::printf("%6d%16d%18d\n", n, missing, outside);
        const int rest = n % tile;
        const int expected = own ? 0 : 2 * (n / tile) * rest * (tile - rest);
        as_expected =
            as_expected && wrong == 0 && missing == expected && outside == expected;
    }
    return as_expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
