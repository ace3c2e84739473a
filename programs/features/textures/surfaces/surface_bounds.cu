// What happens beyond the border of a surface? That is a choice of each access. Zero
// reads 0 and writes nothing, clamp uses the nearest element, and trap, the default,
// ends the kernel with an error. The program tries the first two; a child process
// tries the third, which costs it its context.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 4;
constexpr int cases = 6;

/// A surface of side rows of side ints; element x, y is 10 * y + x + 11.
struct board {
    cudaArray_t array = nullptr;
    cudaSurfaceObject_t surface = 0;
};

// [kernels]
/// Reads around the border; a thread for each place.
/// @param surface  of ints
/// @param places   columns and rows in device memory
/// @param values   what zero and clamp read, in device memory, written
__global__ void read(cudaSurfaceObject_t surface, const int2* places, int2* values) {
    const int x = places[threadIdx.x].x * int(sizeof(int)), y = places[threadIdx.x].y;
    values[threadIdx.x].x = surf2Dread<int>(surface, x, y, cudaBoundaryModeZero);
    values[threadIdx.x].y = surf2Dread<int>(surface, x, y, cudaBoundaryModeClamp);
}

/// Writes to the right of the last column; one thread.
/// @param surface  of ints
/// @param y        row
/// @param value    what is written
template <cudaSurfaceBoundaryMode mode>
__global__ void write_beyond(cudaSurfaceObject_t surface, int y, int value) {
    surf2Dwrite(value, surface, side * int(sizeof(int)), y, mode);
}
// [/kernels]

/// Makes the surface.
board make_board() {
    std::vector<int> elements;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) elements.push_back(10 * y + x + 11);
    board made;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    lockstep::check(
        cudaMallocArray(&made.array, &format, side, side, cudaArraySurfaceLoadStore));
    constexpr std::size_t row_bytes = side * sizeof(int);
    lockstep::check(cudaMemcpy2DToArray(made.array, 0, 0, elements.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = made.array;
    lockstep::check(cudaCreateSurfaceObject(&made.surface, &resource));
    return made;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();
    const board made = make_board();
    if (child) {
        write_beyond<cudaBoundaryModeTrap><<<1, 1>>>(made.surface, 0, 99);
        lockstep::check(cudaGetLastError());
        std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
        std::fflush(stdout);
        std::_Exit(EXIT_SUCCESS);  // the context is lost: nothing can be freed
    }

    const std::vector<int2> places = {{0, 0}, {3, 3}, {-1, 1}, {4, 1}, {2, -1}, {7, 9}};
    const lockstep::device_buffer<int2> d_places(places);
    lockstep::device_buffer<int2> d_values(cases);
    d_values.fill_bytes(0xFF);
    read<<<1, cases>>>(made.surface, d_places.data(), d_values.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int2> values = d_values.to_host();
    std::printf("%-10s%-10s%-8s%s\n", "column", "row", "zero", "clamp");
    bool right = true;
    for (int i = 0; i < cases; ++i) {
        const int x = places[i].x, y = places[i].y;
        std::printf("%-10d%-10d%-8d%d\n", x, y, values[i].x, values[i].y);
        const bool inside = x >= 0 && x < side && y >= 0 && y < side;
        const int column = x < 0 ? 0 : x < side ? x : side - 1;
        const int row = y < 0 ? 0 : y < side ? y : side - 1;
        right = right && values[i].x == (inside ? 10 * y + x + 11 : 0) &&
                values[i].y == 10 * row + column + 11;
    }

    // [writes]
    write_beyond<cudaBoundaryModeZero><<<1, 1>>>(made.surface, 0, 98);
    lockstep::check(cudaGetLastError());
    write_beyond<cudaBoundaryModeClamp><<<1, 1>>>(made.surface, 1, 99);
    lockstep::check(cudaGetLastError());
    // [/writes]
    std::vector<int> elements(side * side);
    constexpr std::size_t row_bytes = side * sizeof(int);
    lockstep::check(cudaMemcpy2DFromArray(elements.data(), row_bytes, made.array, 0, 0,
                                          row_bytes, side, cudaMemcpyDeviceToHost));
    lockstep::report("row 0 ends, after zero", elements[side - 1]);
    lockstep::report("row 1 ends, after clamp", elements[2 * side - 1]);
    right = right && elements[side - 1] == 14;

    const std::string trapped = lockstep::output_of(argv[0], "--child");
    lockstep::report("trap", trapped.c_str());
    right = right && trapped != "cudaSuccess" && !trapped.empty();
    lockstep::check(cudaDestroySurfaceObject(made.surface));
    lockstep::check(cudaFreeArray(made.array));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
