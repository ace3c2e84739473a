// Where does a surface read for the x of a texture? The element x of a row of floats is
// at byte 4 * x. The program fetches an element through a texture, then reads it
// through a surface, with x in bytes and, as a mistake, with x in elements. A surface
// converts nothing: read as an unsigned number, the float shows its bits.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int width = 16, height = 4;  // in elements

/// What one thread read of the element x, y.
struct seen {
    float by_texture, by_bytes, by_elements;
    unsigned bits;
};

// [kernel]
/// Reads one element in four ways; one thread.
/// @param texture  of floats, not normalized
/// @param surface  of the same array
/// @param x, y     column and row of the element
/// @param values   one result in device memory, written
__global__ void read(cudaTextureObject_t texture, cudaSurfaceObject_t surface, int x,
                     int y, seen* values) {
    values->by_texture = tex2D<float>(texture, x + 0.5f, y + 0.5f);
    values->by_bytes = surf2Dread<float>(surface, x * int(sizeof(float)), y);
    values->by_elements = surf2Dread<float>(surface, x, y);  // a mistake
    values->bits = surf2Dread<unsigned>(surface, x * int(sizeof(float)), y);
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<float> elements;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            elements.push_back(static_cast<float>(100 * y + x));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    constexpr std::size_t row_bytes = width * sizeof(float);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, elements.data(), row_bytes,
                                        row_bytes, height, cudaMemcpyHostToDevice));
    // [objects]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    // [/objects]

    lockstep::device_buffer<seen> d_values(1);
    d_values.fill_bytes(0xFF);
    read<<<1, 1>>>(texture, surface, 8, 2, d_values.data());
    lockstep::check(cudaGetLastError());
    const seen values = d_values.to_host()[0];
    std::printf("%-36s%g\n", "tex2D(x + 0.5, y + 0.5)", values.by_texture);
    std::printf("%-36s%g\n", "surf2Dread<float>(4 * x, y)", values.by_bytes);
    std::printf("%-36s%g\n", "surf2Dread<float>(x, y)", values.by_elements);
    std::printf("%-36s0x%08X\n", "surf2Dread<unsigned>(4 * x, y)", values.bits);

    lockstep::check(cudaDestroySurfaceObject(surface));
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));
    // byte 8 is element 2; 208 is 0x43500000 in single precision
    return values.by_texture == 208 && values.by_bytes == 208 &&
                   values.by_elements == 202 && values.bits == 0x43500000
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
