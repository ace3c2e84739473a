// Texture and surface objects: places, weights, rounding, levels, faces, copies.

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "expect.hpp"

__global__ void line(cudaTextureObject_t texture, const float* at, float* out) {
    out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}
__global__ void plane(cudaTextureObject_t texture, const float2* at, float4* out) {
    out[threadIdx.x] = tex2D<float4>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}
__global__ void one_level(cudaTextureObject_t texture, float2 at, float level, float* out) {
    *out = tex2DLod<float>(texture, at.x, at.y, level);
}
__global__ void gradient(cudaTextureObject_t texture, float2 dx, float2 dy, float* out) {
    *out = tex2DGrad<float>(texture, 0.5f, 0.5f, dx, dy);
}
__global__ void space(cudaTextureObject_t texture, float3 at, float* out) {
    *out = tex3D<float>(texture, at.x, at.y, at.z);
}
__global__ void face(cudaTextureObject_t texture, const float3* at, int* out) {
    const float3 to = at[threadIdx.x];
    out[threadIdx.x] = texCubemap<int>(texture, to.x, to.y, to.z);
}
__global__ void through_surface(cudaSurfaceObject_t surface, short4 value, short4* out) {
    surf2Dwrite(value, surface, 1 * int(sizeof(short4)), 1);
    out[0] = surf2Dread<short4>(surface, 1 * int(sizeof(short4)), 1);
    out[1] = surf2Dread<short4>(surface, -8, 1, cudaBoundaryModeZero);
    out[2] = surf2Dread<short4>(surface, 99 * 8, 7, cudaBoundaryModeClamp);
}

template <class T>
T* on_device(const std::vector<T>& values) {
    T* made = nullptr;
    cudaMalloc(&made, values.size() * sizeof(T));
    cudaMemcpy(made, values.data(), values.size() * sizeof(T), cudaMemcpyDefault);
    return made;
}
template <class T>
std::vector<T> on_host(const T* values, size_t n) {
    std::vector<T> found(n);
    EXPECT(cudaMemcpy(found.data(), values, n * sizeof(T), cudaMemcpyDefault) == cudaSuccess);
    return found;
}
template <class T>
cudaArray_t array_of(const std::vector<T>& texels, size_t width, size_t height,
                     unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    EXPECT(cudaMallocArray(&array, &format, width, height, flags) == cudaSuccess);
    const size_t row = width * sizeof(T);
    EXPECT(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, height ? height : 1,
                               cudaMemcpyHostToDevice) == cudaSuccess);
    return array;
}
cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc& how) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t made = 0;
    EXPECT(cudaCreateTextureObject(&made, &resource, &how, nullptr) == cudaSuccess);
    return made;
}
cudaTextureDesc described(cudaTextureFilterMode filter, bool normalized,
                          cudaTextureAddressMode mode = cudaAddressModeClamp) {
    cudaTextureDesc how{};
    for (cudaTextureAddressMode& axis : how.addressMode) axis = mode;
    how.filterMode = filter;
    how.normalizedCoords = normalized;
    return how;
}
float value_at(cudaTextureObject_t texture, float place) {
    float* at = on_device<float>({place});
    float* out = on_device<float>({-1});
    line<<<1, 1>>>(texture, at, out);
    return on_host(out, 1)[0];
}

static void places() {
    cudaArray_t array = array_of<float>({1, 2, 4, 8}, 4, 0);
    const cudaTextureObject_t point = texture_of(array, described(cudaFilterModePoint, false));
    EXPECT(value_at(point, 0) == 1 && value_at(point, 0.99f) == 1 && value_at(point, 1) == 2);
    EXPECT(value_at(point, -7) == 1 && value_at(point, 1e30f) == 8 && value_at(point, NAN) == 1);
    for (const auto& [mode, before, after] :
         {std::tuple{cudaAddressModeWrap, 8, 1}, std::tuple{cudaAddressModeMirror, 1, 8},
          std::tuple{cudaAddressModeClamp, 1, 8}, std::tuple{cudaAddressModeBorder, 0, 0}}) {
        const cudaTextureObject_t by =
            texture_of(array, described(cudaFilterModePoint, true, mode));
        EXPECT(value_at(by, -0.1f) == before && value_at(by, 1.1f) == after);
    }
    const cudaTextureObject_t linear = texture_of(array, described(cudaFilterModeLinear, false));
    EXPECT(value_at(linear, 0.5f) == 1 && value_at(linear, 1) == 1.5f);
    EXPECT(value_at(linear, 0.5f + 1.0f / 512) == 1 + 1.0f / 256);  // half a step: up
    EXPECT(value_at(linear, 0.5f + 0.9f / 512) == 1);
}

// Two weights of 8 bits: their product is rounded to 8 bits, and the sum of four stays 1.
static void weights() {
    std::vector<float4> texels = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    const cudaTextureObject_t linear =
        texture_of(array_of(texels, 2, 2), described(cudaFilterModeLinear, false));
    std::vector<float2> at;
    const int tried[][2] = {{0, 0}, {128, 128}, {1, 128}, {128, 1}, {3, 5}, {85, 171}, {255, 255}};
    for (const auto& [right, below] : tried)
        at.push_back({0.5f + float(right) / 256, 0.5f + float(below) / 256});
    float4* out = on_device(std::vector<float4>(at.size()));
    plane<<<1, unsigned(at.size())>>>(linear, on_device(at), out);
    const std::vector<float4> found = on_host(out, at.size());
    for (size_t i = 0; i < at.size(); ++i) {
        const auto [right, below] = tried[i];
        const int both = (right * below + 128) / 256;
        EXPECT(found[i].w * 256 == float(both));
        EXPECT(found[i].y * 256 == float(right - both) && found[i].z * 256 == float(below - both));
        EXPECT(found[i].x * 256 == float(256 - right - below + both));
    }
}

static void rounding() {
    cudaTextureDesc how = described(cudaFilterModeLinear, false);
    how.readMode = cudaReadModeNormalizedFloat;
    const cudaTextureObject_t bytes = texture_of(array_of<unsigned char>({0, 255}, 2, 0), how);
    const float third = value_at(bytes, 0.5f + 85.0f / 256);  // of 65535: 21759.7
    EXPECT(third == 21760.0f / 65535);
    EXPECT(value_at(bytes, 1.5f) == 1);
    const unsigned short one = 0x3c00, large = 0x6800;  // 1 and 2048 as halves
    const cudaChannelFormatDesc half = cudaCreateChannelDescHalf();
    cudaArray_t array = nullptr;
    EXPECT(cudaMallocArray(&array, &half, 2) == cudaSuccess);
    const unsigned short texels[] = {one, large};
    cudaMemcpy2DToArray(array, 0, 0, texels, 4, 4, 1, cudaMemcpyHostToDevice);
    const cudaTextureObject_t halves = texture_of(array, described(cudaFilterModeLinear, false));
    EXPECT(value_at(halves, 1) == 1024);  // 1024.5: to even
    EXPECT(value_at(halves, 0.5f + 1.0f / 256) == 9);  // 8.99609
}

static void levels() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t pyramid = nullptr;
    EXPECT(cudaMallocMipmappedArray(&pyramid, &format, {8, 8, 0}, 4) == cudaSuccess);
    for (unsigned level = 0; level < 4; ++level) {
        const size_t side = 8 >> level;
        const std::vector<float> texels(side * side, float(level));
        cudaArray_t array = nullptr;
        EXPECT(cudaGetMipmappedArrayLevel(&array, pyramid, level) == cudaSuccess);
        EXPECT(cudaMemcpy2DToArray(array, 0, 0, texels.data(), side * 4, side * 4, side,
                                   cudaMemcpyHostToDevice) == cudaSuccess);
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    cudaTextureDesc how = described(cudaFilterModeLinear, true);
    how.mipmapFilterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 3;
    cudaTextureObject_t texture = 0;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
    float* out = on_device<float>({-1});
    for (const auto& [level, expected] :
         {std::pair{-1.0f, 0.0f}, {0.25f, 0.25f}, {1, 1}, {2.501f, 2.5f}, {9, 3}}) {
        one_level<<<1, 1>>>(texture, {0.3f, 0.7f}, level, out);
        EXPECT(on_host(out, 1)[0] == expected);
    }
    const auto by = [&](float2 right, float2 down) {
        gradient<<<1, 1>>>(texture, {right.x / 8, right.y / 8}, {down.x / 8, down.y / 8}, out);
        return on_host(out, 1)[0];
    };
    EXPECT(by({0.5f, 0}, {0, 0.5f}) == 0 && by({2, 0}, {0, 1}) == 1 && by({1, 0}, {0, 4}) == 2);
    EXPECT(by({3, 0}, {0, 3}) == 406.0f / 256);  // log2(3) is 405.75 of them
    EXPECT(by({2.8284271f, 2.8284271f}, {0, 0}) == 502.0f / 256);  // as recorded, not 2
    EXPECT(cudaFreeMipmappedArray(pyramid) == cudaSuccess);
}

static void shapes() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent{2, 2, 2};
    cudaArray_t volume = nullptr;
    EXPECT(cudaMalloc3DArray(&volume, &format, extent) == cudaSuccess);
    std::vector<float> texels = {0, 1, 2, 3, 4, 5, 6, 7}, back(8);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), 8, 2, 2);
    copy.dstArray = volume;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    float* out = on_device<float>({-1});
    const cudaTextureObject_t texture = texture_of(volume, described(cudaFilterModeLinear, false));
    space<<<1, 1>>>(texture, {1, 1, 1}, out);
    EXPECT(on_host(out, 1)[0] == 3.5f);
    space<<<1, 1>>>(texture, {1.5f, 0.5f, 1.25f}, out);
    EXPECT(on_host(out, 1)[0] == 1 + 0.75f * 4);
    copy = {};
    copy.srcArray = volume;
    copy.dstPtr = make_cudaPitchedPtr(back.data(), 8, 2, 2);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess && back == texels);
    copy.extent.depth = 3;
    EXPECT(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);

    const cudaChannelFormatDesc numbers = cudaCreateChannelDesc<int>();
    cudaArray_t cube = nullptr;
    EXPECT(cudaMalloc3DArray(&cube, &numbers, {1, 1, 5}, cudaArrayCubemap) ==
           cudaErrorInvalidValue);
    EXPECT(cudaMalloc3DArray(&cube, &numbers, {1, 1, 6}, cudaArrayCubemap) == cudaSuccess);
    std::vector<int> faces = {0, 1, 2, 3, 4, 5};
    copy = {};
    copy.srcPtr = make_cudaPitchedPtr(faces.data(), 4, 1, 1);
    copy.dstArray = cube;
    copy.extent = {1, 1, 6};
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    const std::vector<float3> directions = {{2, 1, 0},  {-2, 1, 0}, {0, 2, 1},
                                            {0, -2, 1}, {1, 0, 2},  {1, 0, -2}};
    int* met = on_device(std::vector<int>(6));
    face<<<1, 6>>>(texture_of(cube, described(cudaFilterModePoint, true)), on_device(directions),
                   met);
    EXPECT(on_host(met, 6) == faces);
}

static void surfaces() {
    std::vector<short4> texels(6, short4{1, 2, 3, 4});
    cudaArray_t array = array_of(texels, 3, 2, cudaArraySurfaceLoadStore);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    EXPECT(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    short4* out = on_device(std::vector<short4>(3));
    through_surface<<<1, 1>>>(surface, {5, 6, 7, 8}, out);
    const std::vector<short4> found = on_host(out, 3);
    EXPECT(found[0].x == 5 && found[0].w == 8 && found[1].x == 0 && found[2].w == 4);
    EXPECT(cudaDestroySurfaceObject(surface) == cudaSuccess);
    EXPECT(cudaDestroySurfaceObject(surface) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(cudaFreeArray(array) == cudaSuccess);
}

// Memory begins well for a texture, wherever in the emulator it lies; a part of it may not.
static void of_memory() {
    for (int i = 0; i < 8; ++i) {
        int* texels = nullptr;
        cudaMalloc(&texels, 256 * (i + 3));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear = {texels, cudaCreateChannelDesc<int>(), 256};
        cudaTextureDesc how{};
        cudaTextureObject_t texture = 0;
        EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
        resource.res.linear.devPtr = texels + 64;
        EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) ==
               cudaErrorInvalidValue);
    }
    cudaGetLastError();
}

static void lacking() {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_of<float>({1}, 1, 0);
    cudaTextureDesc how = described(cudaFilterModeLinear, true);
    cudaResourceViewDesc view{};
    view.format = cudaResViewFormatFloat1;
    cudaTextureObject_t texture = 0;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, &view) == cudaErrorNotSupported);
    how.maxAnisotropy = 2;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaErrorNotSupported);
    cudaGetLastError();
}

int main(int argc, char**) {
    if (argc > 1) {
        lacking();
        std::printf("%d failures\n", failures);
        return failures != 0;
    }
    cudaProfilerStart();
    places();
    weights();
    rounding();
    levels();
    shapes();
    surfaces();
    of_memory();
    cudaProfilerStop();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
