// Which functions write which kind of array? One program writes an array of each kind
// through its surface, and a second launch reads it back the same way. Every element
// holds x + 10 y + 100 z, where z is the slice, the layer or the face.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

/// Kinds of arrays.
enum class kind { line, plane, volume, lines, planes, cube };

// [access]
/// Writes one element.
template <kind of>
__device__ void put(int value, cudaSurfaceObject_t s, int x, int y, int z) {
    const int byte = x * int(sizeof(int));
    if (of == kind::line) surf1Dwrite(value, s, byte);
    if (of == kind::plane) surf2Dwrite(value, s, byte, y);
    if (of == kind::volume) surf3Dwrite(value, s, byte, y, z);
    if (of == kind::lines) surf1DLayeredwrite(value, s, byte, z);
    if (of == kind::planes) surf2DLayeredwrite(value, s, byte, y, z);
    if (of == kind::cube) surfCubemapwrite(value, s, byte, y, z);
}

/// Reads one element.
template <kind of>
__device__ int get(cudaSurfaceObject_t s, int x, int y, int z) {
    const int byte = x * int(sizeof(int));
    if (of == kind::line) return surf1Dread<int>(s, byte);
    if (of == kind::plane) return surf2Dread<int>(s, byte, y);
    if (of == kind::volume) return surf3Dread<int>(s, byte, y, z);
    if (of == kind::lines) return surf1DLayeredread<int>(s, byte, z);
    if (of == kind::planes) return surf2DLayeredread<int>(s, byte, y, z);
    return surfCubemapread<int>(s, byte, y, z);
}
// [/access]

/// Writes all elements; a block for each y and z, a thread for each x.
/// @param surface  of ints
template <kind of>
__global__ void write(cudaSurfaceObject_t surface) {
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    put<of>(x + 10 * y + 100 * z, surface, x, y, z);
}

/// Reads all elements; a block for each y and z, a thread for each x.
/// @param surface  of ints
/// @param values   the elements in device memory, written
template <kind of>
__global__ void read(cudaSurfaceObject_t surface, int* values) {
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    values[(z * gridDim.x + y) * blockDim.x + x] = get<of>(surface, x, y, z);
}

/// Makes an array of a kind, writes and reads it.
/// @param label                 what to print
/// @param width, height, depth  as for cudaMalloc3DArray
/// @param flags                 besides the one for surfaces
/// @return number of wrong elements
template <kind of>
std::size_t try_kind(const char* label, int width, int height, int depth,
                     unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format,
                                      make_cudaExtent(width, height, depth),
                                      flags | cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));

    const int rows = height > 0 ? height : 1, layers = depth > 0 ? depth : 1;
    std::vector<int> expected;
    for (int z = 0; z < layers; ++z)
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < width; ++x) expected.push_back(x + 10 * y + 100 * z);
    lockstep::device_buffer<int> d_values(expected.size());
    d_values.fill_bytes(0xFF);
    const dim3 grid(rows, layers);
    write<of><<<grid, width>>>(surface);
    lockstep::check(cudaGetLastError());
    read<of><<<grid, width>>>(surface, d_values.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_values.to_host(), expected);
    std::printf("%-16s%-12zu%zu\n", label, expected.size(), wrong);
    lockstep::check(cudaDestroySurfaceObject(surface));
    lockstep::check(cudaFreeArray(array));
    return wrong;
}

int main() {
    lockstep::require_device();
    std::printf("%-16s%-12s%s\n", "array", "elements", "wrong");
    std::size_t wrong = 0;
    // [kinds]
    wrong += try_kind<kind::line>("1D", 8, 0, 0, cudaArrayDefault);
    wrong += try_kind<kind::plane>("2D", 8, 6, 0, cudaArrayDefault);
    wrong += try_kind<kind::volume>("3D", 8, 6, 4, cudaArrayDefault);
    wrong += try_kind<kind::lines>("1D layered", 8, 0, 4, cudaArrayLayered);
    wrong += try_kind<kind::planes>("2D layered", 8, 6, 4, cudaArrayLayered);
    wrong += try_kind<kind::cube>("cubemap", 8, 8, 6, cudaArrayCubemap);
    // [/kinds]
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
