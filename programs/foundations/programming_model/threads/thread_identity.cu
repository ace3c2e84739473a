// How does a thread know which part of the work is its own? Four built-in variables say
// where it stands and how large everything is. From them each thread computes a number
// that no other thread has.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes each thread's number to the cell at its place.
/// @param cells  one int per thread in device memory, row by row
__global__ void number_yourself(int* cells) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;  // column in the whole grid
    const int y = blockIdx.y * blockDim.y + threadIdx.y;  // row in the whole grid
    const int block = blockIdx.y * gridDim.x + blockIdx.x;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int threads_per_block = blockDim.x * blockDim.y;
    cells[y * (gridDim.x * blockDim.x) + x] = block * threads_per_block + thread;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const unsigned blocks_x = options.integer<unsigned>("blocks-x", 3, 1, 8);
    options.finish();
    lockstep::require_device();

    // [launch]
    const dim3 grid(blocks_x, 2);  // blocks
    const dim3 block(4, 3);  // threads in each
    const int columns = static_cast<int>(grid.x * block.x);
    const int rows = static_cast<int>(grid.y * block.y);
    lockstep::device_buffer<int> d_cells(rows * columns);
    d_cells.fill_bytes(0xFF);
    number_yourself<<<grid, block>>>(d_cells.data());
    lockstep::check(cudaGetLastError());
    // [/launch]

    const std::vector<int> cells = d_cells.to_host();
    std::vector<int> seen(cells.size(), 0);
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int number = cells[row * columns + column];
            if (number >= 0 && number < rows * columns) ++seen[number];
            std::printf("%s%3d", column > 0 && column % block.x == 0 ? " |" : "",
                        number);
        }
        std::printf("\n");
    }
    bool once = true;
    for (const int times : seen) once = once && times == 1;
    lockstep::report("threads", rows * columns);
    lockstep::report("each number exactly once", once);
    return once ? EXIT_SUCCESS : EXIT_FAILURE;
}
