// Of what can a surface object be made? Of a CUDA array. The program tries other
// resources, and arrays that were not made for surfaces, and prints what the call
// returns.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;

/// Tries to make a surface object, and destroys it.
cudaError_t try_resource(const char* label, const cudaResourceDesc& resource) {
    cudaSurfaceObject_t surface = 0;
    const cudaError_t error = cudaCreateSurfaceObject(&surface, &resource);
    std::printf("%-34s%s\n", label, cudaGetErrorName(error));
    static_cast<void>(cudaGetLastError());  // clears the refusal, which was printed
    if (error == cudaSuccess) lockstep::check(cudaDestroySurfaceObject(surface));
    return error;
}

int main() {
    lockstep::require_device();
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t for_surfaces = nullptr, plain = nullptr, level = nullptr;
    lockstep::check(
        cudaMallocArray(&for_surfaces, &format, side, side, cudaArraySurfaceLoadStore));
    lockstep::check(cudaMallocArray(&plain, &format, side, side));
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(cudaMallocMipmappedArray(&pyramid, &format,
                                             make_cudaExtent(side, side, 0), 3,
                                             cudaArraySurfaceLoadStore));
    lockstep::check(cudaGetMipmappedArrayLevel(&level, pyramid, 1));
    lockstep::device_buffer<float> d_row(side);

    std::printf("%-34s%s\n", "resource", "error");
    // [cases]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = for_surfaces;
    const cudaError_t of_array = try_resource("array made for surfaces", resource);
    resource.res.array.array = level;
    const cudaError_t of_level = try_resource("level of a mipmapped array", resource);
    resource.res.array.array = plain;
    try_resource("array made without the flag", resource);
    resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    try_resource("mipmapped array", resource);
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {d_row.data(), format, d_row.bytes()};
    try_resource("linear memory", resource);
    // [/cases]
    lockstep::check(cudaFreeMipmappedArray(pyramid));
    lockstep::check(cudaFreeArray(plain));
    lockstep::check(cudaFreeArray(for_surfaces));
    return of_array == cudaSuccess && of_level == cudaSuccess ? EXIT_SUCCESS
                                                              : EXIT_FAILURE;
}
