// Can a CUDA array have memory for a part only? A sparse array can: it is divided into
// tiles, and a tile gets memory when it is mapped. Not every kind of array can be
// sparse, so the program first asks the driver for several. It maps one tile of the
// first suitable one, copies data into it, and reads it back by a copy and by a
// texture.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Counts the elements of a rectangle that hold their index.
/// @param array          the texture, read at coordinates from 0 to 1
/// @param whole          size of the texture, in elements
/// @param x, y           where the rectangle begins, in elements
/// @param width, height  its size
/// @param right          one int in device memory, increased
__global__ void count_right(cudaTextureObject_t array, float2 whole, int x, int y,
                            int width, int height, int* right) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float u = (static_cast<float>(x + column) + 0.5f) / whole.x;  // its center
    const float v = (static_cast<float>(y + row) + 0.5f) / whole.y;
    const float value = tex2D<float>(array, u, v);  // of the largest level
    if (value == static_cast<float>(row * width + column)) atomicAdd(right, 1);
}
// [/kernel]

/// A kind of array of floats.
struct kind {
    const char* label;
    unsigned width, height, depth;  ///< in elements; 0 for a dimension that it lacks
    unsigned channels;  ///< floats in an element
    unsigned levels;  ///< of a mipmapped array; 0 for any other
    unsigned flags;  ///< of CUDA_ARRAY3D_*
};

/// An array, or a mipmapped array and its largest level.
struct made_array {
    CUmipmappedArray mipmapped = nullptr;
    CUarray array = nullptr;
    CUresult result = CUDA_SUCCESS;  ///< of the call that makes it
};

/// Makes an array. The driver may refuse it.
/// @param wanted  its kind
made_array make(const kind& wanted) {
    made_array made;
    // [make]
    CUDA_ARRAY3D_DESCRIPTOR description{};
    description.Width = wanted.width;
    description.Height = wanted.height;
    description.Depth = wanted.depth;
    description.Format = CU_AD_FORMAT_FLOAT;
    description.NumChannels = wanted.channels;
    description.Flags = wanted.flags;
    if (wanted.levels == 0) {
        made.result = cuArray3DCreate(&made.array, &description);
    } else {
        made.result =
            cuMipmappedArrayCreate(&made.mipmapped, &description, wanted.levels);
        if (made.result == CUDA_SUCCESS)
            lockstep::check(cuMipmappedArrayGetLevel(&made.array, made.mipmapped, 0));
    }
    // [/make]
    return made;
}

/// Destroys an array that was made.
void destroy(const made_array& made) {
    if (made.mipmapped)
        lockstep::check(cuMipmappedArrayDestroy(made.mipmapped));
    else
        lockstep::check(cuArrayDestroy(made.array));
}

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
    lockstep::report("sparse arrays supported", supported != 0);
    if (!supported) return EXIT_SUCCESS;

    // [kinds]
    constexpr unsigned side = 16384;  // floats in a row, and rows: 1 GiB
    constexpr unsigned sparse = CUDA_ARRAY3D_SPARSE;
    const kind kinds[] = {
        {"2D", side, side, 0, 1, 0, sparse},
        {"2D, mipmapped", side, side, 0, 1, 15, sparse},
        {"2D, 4 MiB", 1024, 1024, 0, 1, 0, sparse},
        {"2D, elements of 4 floats", side / 2, side / 2, 0, 4, 0, sparse},
        {"2D, for surfaces", side, side, 0, 1, 0, sparse | CUDA_ARRAY3D_SURFACE_LDST},
        {"2D mipmapped, for surfaces", side, side, 0, 1, 15,
         sparse | CUDA_ARRAY3D_SURFACE_LDST},
        {"2D, four layers", side / 2, side / 2, 4, 1, 0, sparse | CUDA_ARRAY3D_LAYERED},
        {"3D", 1024, 512, 512, 1, 0, sparse},
        {"1D", side, 0, 0, 1, 0, sparse},
    };
    // [/kinds]
    // [try]
    const kind* chosen = nullptr;  // 2D, of one float
    for (const kind& tried : kinds) {
        const made_array made = make(tried);
        lockstep::report(tried.label, lockstep::name_of(made.result));
        if (made.result != CUDA_SUCCESS) continue;
        destroy(made);
        const bool suitable =
            tried.channels == 1 && tried.height > 0 && tried.depth == 0;
        if (!chosen && suitable) chosen = &tried;
    }
    // [/try]
    lockstep::report("chosen", chosen ? chosen->label : "none");
    if (!chosen) return EXIT_SUCCESS;
    const lockstep::owned_stream stream;

    const std::size_t array_bytes =
        std::size_t(chosen->width) * chosen->height * sizeof(float);
    const std::size_t before = unused_bytes();
    const made_array made = make(*chosen);
    lockstep::check(made.result);
    const bool without_memory = before < unused_bytes() + array_bytes / 8;
    // [tile]
    CUDA_ARRAY_SPARSE_PROPERTIES layout{};
    lockstep::check(made.mipmapped
                        ? cuMipmappedArrayGetSparseProperties(&layout, made.mipmapped)
                        : cuArrayGetSparseProperties(&layout, made.array));
    const unsigned width = layout.tileExtent.width, height = layout.tileExtent.height;
    // [/tile]
    const std::size_t tile_bytes = std::size_t(width) * height * sizeof(float);
    lockstep::report("size of the array", array_bytes >> 20, "MiB");
    lockstep::report("created without memory", without_memory);
    lockstep::report("width of a tile", width, "elements");
    lockstep::report("height of a tile", height, "elements");
    lockstep::report("memory of a tile", tile_bytes >> 10, "KiB");

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
    lockstep::report("smallest tile pool", pool_bytes >> 10, "KiB");
    const unsigned x = width, y = 2 * height;  // the second tile of the third row
    // [map]
    CUarrayMapInfo tile{};
    tile.resourceType =
        made.mipmapped ? CU_RESOURCE_TYPE_MIPMAPPED_ARRAY : CU_RESOURCE_TYPE_ARRAY;
    if (made.mipmapped)
        tile.resource.mipmap = made.mipmapped;
    else
        tile.resource.array = made.array;
    tile.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    tile.subresource.sparseLevel.offsetX = x;
    tile.subresource.sparseLevel.offsetY = y;
    tile.subresource.sparseLevel.extentWidth = width;
    tile.subresource.sparseLevel.extentHeight = height;
    tile.subresource.sparseLevel.extentDepth = 1;
    tile.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
    tile.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
    tile.memHandle.memHandle = pool;
    tile.offset = 0;  // where the tile lies in the pool
    tile.deviceBitMask = 1;  // device 0
    const CUresult mapped = cuMemMapArrayAsync(&tile, 1, stream);
    // [/map]
    lockstep::report("a tile is mapped", lockstep::name_of(mapped));
    if (mapped != CUDA_SUCCESS) return EXIT_SUCCESS;
    lockstep::check(cudaStreamSynchronize(stream));

    // [copy]
    std::vector<float> values(std::size_t(width) * height), returned(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    CUDA_MEMCPY2D there{};
    there.srcMemoryType = CU_MEMORYTYPE_HOST;
    there.srcHost = values.data();
    there.srcPitch = width * sizeof(float);
    there.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    there.dstArray = made.array;
    there.dstXInBytes = x * sizeof(float);
    there.dstY = y;
    there.WidthInBytes = width * sizeof(float);
    there.Height = height;
    lockstep::check(cuMemcpy2D(&there));
    // [/copy]
    CUDA_MEMCPY2D back{};
    back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    back.srcArray = made.array;
    back.srcXInBytes = there.dstXInBytes;
    back.srcY = there.dstY;
    back.dstMemoryType = CU_MEMORYTYPE_HOST;
    back.dstHost = returned.data();
    back.dstPitch = there.srcPitch;
    back.WidthInBytes = there.WidthInBytes;
    back.Height = there.Height;
    lockstep::check(cuMemcpy2D(&back));

    CUDA_RESOURCE_DESC resource{};
    if (made.mipmapped) {
        resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        resource.res.mipmap.hMipmappedArray = made.mipmapped;
    } else {
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = made.array;
    }
    CUDA_TEXTURE_DESC sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    sampling.filterMode = sampling.mipmapFilterMode = CU_TR_FILTER_MODE_POINT;
    sampling.flags = CU_TRSF_NORMALIZED_COORDINATES;  // which mipmapped arrays need
    CUtexObject texture = 0;
    lockstep::check(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
    lockstep::device_buffer<int> d_right(1);
    d_right.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const dim3 block(32, 8);
    const dim3 grid((width + 31) / 32, (height + 7) / 8);
    const float2 whole{static_cast<float>(chosen->width),
                       static_cast<float>(chosen->height)};
    count_right<<<grid, block, 0, stream>>>(texture, whole, x, y, width, height,
                                            d_right.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    const unsigned right = d_right.to_host()[0];

    // [unmap]
    tile.memOperationType = CU_MEM_OPERATION_TYPE_UNMAP;
    tile.memHandle.memHandle = 0;
    lockstep::check(cuMemMapArrayAsync(&tile, 1, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cuTexObjectDestroy(texture));
    destroy(made);
    lockstep::check(cuMemRelease(pool));
    // [/unmap]

    lockstep::report("elements of the tile", values.size());
    lockstep::report("copied back right", returned == values);
    lockstep::report("right through the texture", right);
    return returned == values && right == values.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}
