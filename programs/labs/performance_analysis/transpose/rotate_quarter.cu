// An image is turned by a quarter, clockwise: its first row becomes the last column.
// The profile of this kernel shows the problem of the direct transpose: loads touch few
// sectors for each request, stores touch 32. Turn the image through a tile in shared
// memory, without bank conflicts. Neither side of the image is a multiple of 32.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int tile = 32;  // blocks have tile x tile threads

/// The turned image, which the kernel writes.
struct image {
    std::uint32_t* words;
    int* places;  ///< null, or a word for each thread: where it stored

    __device__ void store(int i, std::uint32_t value) const {
        words[i] = value;
        const int block = blockIdx.y * gridDim.x + blockIdx.x;
        const int thread = threadIdx.y * blockDim.x + threadIdx.x;
        if (places) places[block * tile * tile + thread] = i;
    }
};

/// One pixel at a time; the reference.
/// @param rows     rows of the image
/// @param columns  columns of the image
/// @param in       rows x columns words, row by row, in device memory
/// @param out      columns x rows words, row by row, in device memory, written
__global__ void rotate_plainly(int rows, int columns, const std::uint32_t* in,
                               std::uint32_t* out) {
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    if (row < rows && column < columns)
        out[column * rows + rows - 1 - row] = in[row * columns + column];
}

/// Through shared memory: rows are read, rows are written.
/// @param rows     rows of the image
/// @param columns  columns of the image
/// @param in       rows x columns words, row by row, in device memory
/// @param out      columns x rows words, row by row, written
__global__ void rotate(int rows, int columns, const std::uint32_t* in, image out) {
    // [task]
    __shared__ std::uint32_t words[tile][tile + 1];
    const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
    if (row < rows && column < columns)
        words[threadIdx.y][threadIdx.x] = in[row * columns + column];
    __syncthreads();
    // neighboring threads take neighboring rows of the image
    const int my_row = first_row + threadIdx.x, my_column = first_column + threadIdx.y;
    if (my_row < rows && my_column < columns)
        out.store(my_column * rows + rows - 1 - my_row,
                  words[threadIdx.x][threadIdx.y]);
    //= given
    //| const int row = blockIdx.y * tile + threadIdx.y;
    //| const int column = blockIdx.x * tile + threadIdx.x;
    //| if (row < rows && column < columns)
    //|     out.store(column * rows + rows - 1 - row, in[row * columns + column]);
    //= mutant transposed_not_turned
    //| __shared__ std::uint32_t words[tile][tile + 1];
    //| const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    //| const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
    //| if (row < rows && column < columns)
    //|     words[threadIdx.y][threadIdx.x] = in[row * columns + column];
    //| __syncthreads();
    //| const int my_row = first_row + threadIdx.x;
    //| const int my_column = first_column + threadIdx.y;
    //| if (my_row < rows && my_column < columns)
    //|     out.store(my_column * rows + my_row, words[threadIdx.x][threadIdx.y]);
    //= mutant no_barrier
    //| __shared__ std::uint32_t words[tile][tile + 1];
    //| const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    //| const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
    //| if (row < rows && column < columns)
    //|     words[threadIdx.y][threadIdx.x] = in[row * columns + column];
    //| const int my_row = first_row + threadIdx.x;
    //| const int my_column = first_column + threadIdx.y;
    //| if (my_row < rows && my_column < columns)
    //|     out.store(my_column * rows + rows - 1 - my_row,
    //|               words[threadIdx.x][threadIdx.y]);
    //= mutant load_without_guard
    //| __shared__ std::uint32_t words[tile][tile + 1];
    //| const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    //| const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
    //| words[threadIdx.y][threadIdx.x] = in[row * columns + column];
    //| __syncthreads();
    //| const int my_row = first_row + threadIdx.x;
    //| const int my_column = first_column + threadIdx.y;
    //| if (my_row < rows && my_column < columns)
    //|     out.store(my_column * rows + rows - 1 - my_row,
    //|               words[threadIdx.x][threadIdx.y]);
    //= mutant guard_of_the_other_side
    //| __shared__ std::uint32_t words[tile][tile + 1];
    //| const int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
    //| const int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
    //| if (row < rows && column < columns)
    //|     words[threadIdx.y][threadIdx.x] = in[row * columns + column];
    //| __syncthreads();
    //| const int my_row = first_row + threadIdx.x;
    //| const int my_column = first_column + threadIdx.y;
    //| if (row < rows && column < columns && my_row < rows && my_column < columns)
    //|     out.store(my_column * rows + rows - 1 - my_row,
    //|               words[threadIdx.x][threadIdx.y]);
    // [/task]
}

/// Sectors that a warp touches with one store, on average.
/// @param places  where each thread stored, as the number of a word; -1 if it did not
double sectors_of_a_store(const std::vector<int>& places) {
    double sectors = 0, stores = 0;
    for (std::size_t warp = 0; warp < places.size(); warp += 32) {
        std::set<int> touched;
        for (std::size_t lane = warp; lane < warp + 32; ++lane)
            if (places[lane] >= 0) touched.insert(places[lane] / 8);
        sectors += double(touched.size());
        stores += !touched.empty();
    }
    return sectors / stores;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rows = options.integer("rows", 4099, 1, 8192);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const int columns = rows + 21;
    const std::size_t pixels = std::size_t(rows) * columns;
    lockstep::device_buffer<std::uint32_t> in(pixels), expected(pixels), out(pixels);
    lockstep::fill_random(in.data(), pixels);
    out.fill_bytes(0xFF);
    const dim3 block(tile, tile);
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    const auto plainly = [&] {
        rotate_plainly<<<grid, block>>>(rows, columns, in.data(), expected.data());
    };
    const auto mine = [&](int* places) {
        rotate<<<grid, block>>>(rows, columns, in.data(), {out.data(), places});
    };
    lockstep::device_buffer<int> places(std::size_t(grid.x) * grid.y * tile * tile);
    places.fill_bytes(0xFF);
    plainly();
    mine(places.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    const std::vector<std::uint32_t> turned = out.to_host(), right = expected.to_host();
    // element r of the first row of the result is the first of row rows - 1 - r
    const auto first_row = [&](const std::vector<std::uint32_t>& of) {
        return std::vector<std::uint32_t>(of.begin(), of.begin() + rows);
    };
    verdict.holds("first row of the result", first_row(turned) == first_row(right),
                  "it is the first column of the image, from the bottom to the top");
    verdict.holds("last row of the result",
                  std::equal(turned.end() - rows, turned.end(), right.end() - rows),
                  "the last tiles are not full: which index meets which bound?");
    verdict.equal("turned image", turned, right,
                  lockstep::in_groups(rows, "row of the result", "column"));
    verdict.holds("sectors of a store", sectors_of_a_store(places.to_host()) <= 5.5,
                  "neighboring lanes must store neighboring words of the result");
    if (!untimed) {
        const double before = lockstep::time_on_device(plainly).median_ms;
        const double now = lockstep::time_on_device([&] { mine(nullptr); }).median_ms;
        verdict.at_least("speedup over direct", before / now, 1.2,
                         "how many sectors does a store of a warp touch?");
    }
    return verdict.finish();
}
