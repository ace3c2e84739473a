// Does a surface convert what is written? The functions of CUDA C++ do not: they store
// bytes. PTX has a second store, sust.p, which takes four numbers of 32 bits, counts x
// in elements, and converts them to the format of the array. The program writes the
// same colors both ways.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int colors = 4;

// [kernels]
/// Stores a color as four numbers of 32 bits, converted to the surface's format.
/// @param color    red, green, blue and the fourth component
/// @param surface  of a two-dimensional array
/// @param x, y     column and row, both in elements
__device__ void write_formatted(uint4 color, cudaSurfaceObject_t surface, int x,
                                int y) {
    asm volatile(
        "sust.p.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(surface),
        "r"(x), "r"(y), "r"(color.x), "r"(color.y), "r"(color.z), "r"(color.w)
        : "memory");
}

/// Writes colors as bytes; a thread for each.
/// @param surface  of uchar4
/// @param from     `colors` colors in device memory
/// @param row      where to
__global__ void write_bytes(cudaSurfaceObject_t surface, const uint4* from, int row) {
    const uint4 color = from[threadIdx.x];
    const uchar4 bytes = {
        static_cast<unsigned char>(color.x), static_cast<unsigned char>(color.y),
        static_cast<unsigned char>(color.z), static_cast<unsigned char>(color.w)};
    surf2Dwrite(bytes, surface, threadIdx.x * int(sizeof(uchar4)), row);
}

/// Writes colors formatted; a thread for each.
/// @param surface  of uchar4
/// @param from     `colors` colors in device memory
/// @param row      where to
__global__ void write_numbers(cudaSurfaceObject_t surface, const uint4* from, int row) {
    write_formatted(from[threadIdx.x], surface, threadIdx.x, row);
}
// [/kernels]

int main() {
    lockstep::require_device();

    const std::vector<uint4> from = {
        {1, 2, 3, 4}, {255, 0, 128, 255}, {256, 300, 511, 1000}, {70000, 5, 6, 7}};
    const lockstep::device_buffer<uint4> d_from(from);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, colors, 2, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));
    std::vector<uchar4> found(2 * colors), zeros(2 * colors, uchar4{0, 0, 0, 0});
    constexpr std::size_t row_bytes = colors * sizeof(uchar4);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, zeros.data(), row_bytes, row_bytes,
                                        2, cudaMemcpyHostToDevice));
    write_bytes<<<1, colors>>>(surface, d_from.data(), 0);
    lockstep::check(cudaGetLastError());
    write_numbers<<<1, colors>>>(surface, d_from.data(), 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemcpy2DFromArray(found.data(), row_bytes, array, 0, 0,
                                          row_bytes, 2, cudaMemcpyDeviceToHost));
    lockstep::check(cudaDestroySurfaceObject(surface));
    lockstep::check(cudaFreeArray(array));

    bool right = true;
    std::printf("%-26s%-22s%s\n", "numbers", "as bytes", "formatted");
    for (int i = 0; i < colors; ++i) {
        const uint4 color = from[i];
        const uchar4 bytes = found[i], formatted = found[colors + i];
        char numbers[32], stored[32];
        std::snprintf(numbers, sizeof numbers, "%u %u %u %u", color.x, color.y, color.z,
                      color.w);
        std::snprintf(stored, sizeof stored, "%u %u %u %u", bytes.x, bytes.y, bytes.z,
                      bytes.w);
        std::printf("%-26s%-22s%u %u %u %u\n", numbers, stored, formatted.x,
                    formatted.y, formatted.z, formatted.w);
        right = right && bytes.x == color.x % 256 && bytes.y == color.y % 256 &&
                bytes.z == color.z % 256 && bytes.w == color.w % 256;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
