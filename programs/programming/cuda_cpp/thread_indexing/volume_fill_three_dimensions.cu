// And a volume? A third dimension follows the same pattern. dim3 fills what you leave
// out with 1, so a one-dimensional launch is a three-dimensional one whose other
// extents are 1.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes 10000 * z + 100 * y + x to each cell of a volume, x fastest.
/// @param size   extents of the volume
/// @param cells  size.x * size.y * size.z ints in device memory
__global__ void fill(dim3 size, int* cells) {
    const unsigned x = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned y = threadIdx.y + blockDim.y * blockIdx.y;
    const unsigned z = threadIdx.z + blockDim.z * blockIdx.z;
    if (x < size.x && y < size.y && z < size.z)
        cells[(z * size.y + y) * size.x + x] = 10000 * z + 100 * y + x;
}
// [/kernel]

int main() {
    lockstep::require_device();

    // [launch]
    const dim3 size(30, 20, 10);
    const dim3 block(8, 4, 2);
    const dim3 grid((size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y,
                    (size.z + block.z - 1) / block.z);
    lockstep::device_buffer<int> d_cells(size.x * size.y * size.z);
    d_cells.fill_bytes(0xFF);
    fill<<<grid, block>>>(size, d_cells.data());
    lockstep::check(cudaGetLastError());
    // [/launch]

    const dim3 line(256);
    std::printf("dim3(256)                   %u x %u x %u\n", line.x, line.y, line.z);
    std::printf("grid                        %u x %u x %u blocks\n", grid.x, grid.y,
                grid.z);
    const std::vector<int> cells = d_cells.to_host();
    lockstep::report("cell (29, 19, 9)", cells.back());
    int wrong = 0;
    for (unsigned i = 0; i < cells.size(); ++i) {
        const unsigned x = i % size.x;
        const unsigned y = i / size.x % size.y;
        const unsigned z = i / (size.x * size.y);
        wrong += cells[i] != static_cast<int>(10000 * z + 100 * y + x);
    }
    lockstep::report("wrong cells", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
