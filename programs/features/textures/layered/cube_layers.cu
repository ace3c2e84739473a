// How does a kernel choose one of several cubemaps? By a whole number, besides the
// direction. Three cubemaps lie in one array, six layers each; every face holds ten
// times the number of its cubemap, plus its own.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int faces = 6;
constexpr int cubes = 3;
constexpr int side = 2;

// [kernel]
/// Fetches the center of each face of each cubemap; a block of `faces` threads for each
/// cubemap.
/// @param sky     layered cubemap of ints
/// @param values  cubes * faces ints in device memory, written
__global__ void look_along_axes(cudaTextureObject_t sky, int* values) {
    const int face = threadIdx.x;
    const float along = face % 2 == 0 ? 1.0f : -1.0f;
    const float x = face / 2 == 0 ? along : 0, y = face / 2 == 1 ? along : 0,
                z = face / 2 == 2 ? along : 0;
    const int cube = blockIdx.x;
    values[cube * faces + face] = texCubemapLayered<int>(sky, x, y, z, cube);
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<int> texels, expected;
    for (int layer = 0; layer < cubes * faces; ++layer) {
        expected.push_back(layer / faces * 10 + layer % faces);
        texels.insert(texels.end(), side * side, expected.back());
    }
    // [array]
    const cudaExtent extent = make_cudaExtent(side, side, cubes * faces);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent,
                                      cudaArrayCubemap | cudaArrayLayered));
    // [/array]
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), side * sizeof(int), side, side);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    cudaTextureObject_t sky = 0;
    lockstep::check(cudaCreateTextureObject(&sky, &resource, &description, nullptr));

    lockstep::device_buffer<int> d_values(expected.size());
    d_values.fill_bytes(0xFF);
    look_along_axes<<<cubes, faces>>>(sky, d_values.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> values = d_values.to_host();

    std::printf("%-10s%4s%4s%4s%4s%4s%4s\n", "cubemap", "+x", "-x", "+y", "-y", "+z",
                "-z");
    for (int cube = 0; cube < cubes; ++cube) {
        std::printf("%-10d", cube);
        for (int face = 0; face < faces; ++face)
            std::printf("%4d", values[cube * faces + face]);
        std::printf("\n");
    }
    lockstep::check(cudaDestroyTextureObject(sky));
    lockstep::check(cudaFreeArray(array));
    return lockstep::count_mismatches(values, expected) == 0 ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
