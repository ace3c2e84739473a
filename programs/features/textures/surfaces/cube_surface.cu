// How does a kernel write a face of a cubemap? A surface counts the faces of all
// cubemaps of an array: 6 * cube + face. The program writes each face of three cubemaps
// so, then looks at each by direction, through a texture.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int faces = 6;
constexpr int cubes = 3;
constexpr int side = 8;  // texels of a side of a face

// [kernels]
/// Fills each face with its own index; a block for each face of each cubemap, a thread
/// for each texel.
/// @param sky  surface of a layered cubemap of ints
__global__ void paint(cudaSurfaceObject_t sky) {
    const int index = blockIdx.x;  // 6 * cube + face
    const int x = threadIdx.x * int(sizeof(int)), y = threadIdx.y;
    surfCubemapLayeredwrite(index, sky, x, y, index);
}

/// Looks along the axes; a block for each cubemap, a thread for each face.
/// @param sky     texture of the same array
/// @param values  cubes * faces ints in device memory, written
__global__ void look(cudaTextureObject_t sky, int* values) {
    const int cube = blockIdx.x, face = threadIdx.x;
    const float along = face % 2 == 0 ? 1.0f : -1.0f;
    const float x = face / 2 == 0 ? along : 0, y = face / 2 == 1 ? along : 0,
                z = face / 2 == 2 ? along : 0;
    values[cube * faces + face] = texCubemapLayered<int>(sky, x, y, z, cube);
}
// [/kernels]

int main() {
    lockstep::require_device();

    // [array]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(
        &array, &format, make_cudaExtent(side, side, cubes * faces),
        cudaArrayCubemap | cudaArrayLayered | cudaArraySurfaceLoadStore));
    // [/array]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    lockstep::device_buffer<int> d_values(cubes * faces);
    d_values.fill_bytes(0xFF);
    paint<<<cubes * faces, dim3(side, side)>>>(surface);
    lockstep::check(cudaGetLastError());
    look<<<cubes, faces>>>(texture, d_values.data());  // a launch of its own
    lockstep::check(cudaGetLastError());
    const std::vector<int> values = d_values.to_host();
    lockstep::check(cudaDestroySurfaceObject(surface));
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));

    std::vector<int> expected;
    for (int i = 0; i < cubes * faces; ++i) expected.push_back(i);
    const std::size_t wrong = lockstep::count_mismatches(values, expected);
    lockstep::report("faces", cubes * faces);
    lockstep::report("cubemap 2 along (0, -1, 0)", values[2 * faces + 3]);
    lockstep::report("wrong faces", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
