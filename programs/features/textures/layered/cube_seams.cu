// What does linear filtering do where two faces of a cubemap meet? Face +x is 0 and
// face +z is 1. The program fetches on both sides of their common edge, with and
// without seamless filtering. Without, no face sees its neighbor, and the value jumps.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int faces = 6;
constexpr int side = 8;  // texels of a side of a face

// [kernel]
/// Fetches near the edge between +x and +z; a thread for each distance.
/// @param cube       cubemap of floats
/// @param distances  from the edge, in texels: below 0 in +x, above 0 in +z
/// @param values     one float for each thread in device memory, written
__global__ void cross_edge(cudaTextureObject_t cube, const float* distances,
                           float* values) {
    const float d = distances[threadIdx.x];
    const float part = 1 - 2 * fabsf(d) / side;  // of the way from the center
    const float x = d < 0 ? 1 : part, z = d < 0 ? part : 1;
    values[threadIdx.x] = texCubemap<float>(cube, x, 0, z);
}
// [/kernel]

int main() {
    lockstep::require_device();

    std::vector<float> texels(faces * side * side, 9);  // 9: never to be seen
    for (int i = 0; i < side * side; ++i) {
        texels[i] = 0;  // face 0 is +x
        texels[4 * side * side + i] = 1;  // face 4 is +z
    }
    const cudaExtent extent = make_cudaExtent(side, side, faces);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent, cudaArrayCubemap));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), side * sizeof(float), side, side);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));

    const std::vector<float> distances = {-2,     -1,    -0.5f, -0.25f, -0.125f,
                                          0.125f, 0.25f, 0.5f,  1,      2};
    const unsigned count = static_cast<unsigned>(distances.size());
    const lockstep::device_buffer<float> d_distances(distances);
    std::vector<float> values[2];
    for (const int seamless : {0, 1}) {
        // [seamless]
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        for (cudaTextureAddressMode& mode : description.addressMode)
            mode = cudaAddressModeClamp;  // has no effect with seamless filtering
        description.filterMode = cudaFilterModeLinear;
        description.readMode = cudaReadModeElementType;
        description.normalizedCoords = 1;
        description.seamlessCubemap = seamless;
        cudaTextureObject_t cube = 0;
        lockstep::check(
            cudaCreateTextureObject(&cube, &resource, &description, nullptr));
        // [/seamless]
        lockstep::device_buffer<float> d_values(distances.size());
        d_values.fill_bytes(0xFF);
        cross_edge<<<1, count>>>(cube, d_distances.data(), d_values.data());
        lockstep::check(cudaGetLastError());
        values[seamless] = d_values.to_host();
        lockstep::check(cudaDestroyTextureObject(cube));
    }
    lockstep::check(cudaFreeArray(array));

    bool right = true;
    std::printf("%-8s%-22s%-12s%s\n", "face", "texels from the edge", "clamp",
                "seamless");
    for (unsigned i = 0; i < count; ++i) {
        const float d = distances[i], own = d < 0 ? 0.0f : 1.0f;
        std::printf("%-8s%-22g%-12g%g\n", d < 0 ? "+x" : "+z", d < 0 ? -d : d,
                    values[0][i], values[1][i]);
        right = right && values[0][i] == own;
        if (d > -0.5f && d < 0.5f)
            right = right && values[1][i] > 0 && values[1][i] < 1;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
