// Can a CUDA array have memory for a part only? A sparse array can: it is divided into
// tiles, and a tile gets memory when it is mapped. The program creates an array of
// 1 GiB, maps one tile, and a kernel writes and reads it through a surface.

#include <cstddef>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr unsigned side = 16384;  // floats in a row, and rows: 1 GiB
constexpr std::size_t array_bytes = std::size_t(side) * side * sizeof(float);

// [kernels]
/// Writes its index into each element of a rectangle.
/// @param array          the surface
/// @param x, y           where the rectangle begins, in elements
/// @param width, height  its size
__global__ void number_tile(cudaSurfaceObject_t array, int x, int y, int width,
                            int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float value = static_cast<float>(row * width + column);
    surf2Dwrite(value, array, (x + column) * int(sizeof(float)), y + row);
}

/// Counts the elements of a rectangle that hold their index.
/// @param array          the surface
/// @param x, y           where the rectangle begins, in elements
/// @param width, height  its size
/// @param right          one int in device memory, increased
__global__ void count_right(cudaSurfaceObject_t array, int x, int y, int width,
                            int height, int* right) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float value =
        surf2Dread<float>(array, (x + column) * int(sizeof(float)), y + row);
    if (value == static_cast<float>(row * width + column)) atomicAdd(right, 1);
}
// [/kernels]

/// Free bytes of the device.
std::size_t unused_bytes() {
    std::size_t unused = 0, total = 0;
    lockstep::check(cudaMemGetInfo(&unused, &total));
    return unused;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    int supported = 0;
    lockstep::check(cuDeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, 0));
    lockstep::report("sparse arrays", supported != 0);
    if (!supported) return EXIT_SUCCESS;
    const lockstep::owned_stream stream;

    const std::size_t before = unused_bytes();
    // [array]
    CUDA_ARRAY3D_DESCRIPTOR description{};
    description.Width = side;
    description.Height = side;
    description.Format = CU_AD_FORMAT_FLOAT;
    description.NumChannels = 1;
    description.Flags = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_SURFACE_LDST;
    CUarray array = nullptr;
    lockstep::check(cuArray3DCreate(&array, &description));
    CUDA_ARRAY_SPARSE_PROPERTIES sparse{};
    lockstep::check(cuArrayGetSparseProperties(&sparse, array));
    // [/array]
    const std::size_t after = unused_bytes();
    const bool without_memory = before < after + array_bytes / 8;
    const unsigned width = sparse.tileExtent.width, height = sparse.tileExtent.height;

    // [pool]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.allocFlags.usage = CU_MEM_CREATE_USAGE_TILE_POOL;
    std::size_t pool_bytes = 0;
    lockstep::check(cuMemGetAllocationGranularity(&pool_bytes, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CUmemGenericAllocationHandle pool = 0;
    lockstep::check(cuMemCreate(&pool, pool_bytes, &properties, 0));
    // [/pool]
    // [map]
    CUarrayMapInfo tile{};
    tile.resourceType = CU_RESOURCE_TYPE_ARRAY;
    tile.resource.array = array;
    tile.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    tile.subresource.sparseLevel.offsetX = 3 * width;
    tile.subresource.sparseLevel.offsetY = 5 * height;
    tile.subresource.sparseLevel.extentWidth = width;
    tile.subresource.sparseLevel.extentHeight = height;
    tile.subresource.sparseLevel.extentDepth = 1;
    tile.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
    tile.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
    tile.memHandle.memHandle = pool;
    tile.offset = 0;  // where the tile lies in the pool
    tile.deviceBitMask = 1;  // device 0
    lockstep::check(cuMemMapArrayAsync(&tile, 1, stream));
    // [/map]

    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUsurfObject surface = 0;
    lockstep::check(cuSurfObjectCreate(&surface, &resource));
    lockstep::device_buffer<int> d_right(1);
    d_right.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [use]
    const dim3 block(32, 8);
    const dim3 grid((width + 31) / 32, (height + 7) / 8);
    number_tile<<<grid, block, 0, stream>>>(surface, 3 * width, 5 * height, width,
                                            height);
    lockstep::check(cudaGetLastError());
    count_right<<<grid, block, 0, stream>>>(surface, 3 * width, 5 * height, width,
                                            height, d_right.data());
    lockstep::check(cudaGetLastError());
    // [/use]
    lockstep::check(cudaStreamSynchronize(stream));
    const unsigned right = d_right.to_host()[0];

    // [unmap]
    tile.memOperationType = CU_MEM_OPERATION_TYPE_UNMAP;
    tile.memHandle.memHandle = 0;
    lockstep::check(cuMemMapArrayAsync(&tile, 1, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cuSurfObjectDestroy(surface));
    lockstep::check(cuArrayDestroy(array));
    lockstep::check(cuMemRelease(pool));
    // [/unmap]

    lockstep::report("whole array", array_bytes >> 20, "MiB");
    lockstep::report("created without memory", without_memory);
    lockstep::report("width of a tile", width, "elements");
    lockstep::report("height of a tile", height, "elements");
    lockstep::report("memory of a tile", width * height * sizeof(float) >> 10, "KiB");
    lockstep::report("smallest tile pool", pool_bytes >> 10, "KiB");
    lockstep::report("right elements of the tile", right);
    return right == width * height ? EXIT_SUCCESS : EXIT_FAILURE;
}
