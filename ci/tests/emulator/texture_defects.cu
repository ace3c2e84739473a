// Plants one defect in the use of textures and surfaces, named by the argument; without one, the
// same work done right.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr int n = 64;  // texels

__global__ void fetch(cudaTextureObject_t texture, int i, int* y) {
    *y = tex1Dfetch<int>(texture, i);  // line: fetch
}
__global__ void fetch_plane(cudaTextureObject_t texture, int* y) {
    *y = tex2D<int>(texture, 0.5f, 0.5f);  // line: plane
}
__global__ void fetch_floats(cudaTextureObject_t texture, int* y) {
    *y = int(tex1Dfetch<float>(texture, 0));  // line: floats
}
__global__ void fetch_four(cudaTextureObject_t texture, int* y) {
    *y = tex1Dfetch<int4>(texture, 0).w;  // line: four
}
__global__ void gather(cudaTextureObject_t texture, int component, int* y) {
    *y = tex2Dgather<int4>(texture, 1, 1, component).x;  // line: gather
}
__global__ void write_and_fetch(cudaTextureObject_t texture, int* x, int* y) {
    x[0] = 5;
    *y = tex1Dfetch<int>(texture, 0);  // line: after its own write
}
__global__ void add_and_fetch(cudaTextureObject_t texture, int* x, int* y) {
    atomicAdd(x, 1);
    *y = tex1Dfetch<int>(texture, 0);  // line: after an atomic
}
__global__ void fetch_and_write(cudaTextureObject_t texture, int* x, int* y) {
    y[threadIdx.x] = tex1Dfetch<int>(texture, 1 - threadIdx.x);  // line: other's texel
    x[threadIdx.x] = 5;  // line: own texel
}
__global__ void store(cudaSurfaceObject_t surface, int byte, int row, int* y) {
    surf2Dwrite(3, surface, byte, row);  // line: store
    *y = 0;
}
__global__ void store_line(cudaSurfaceObject_t surface, int* y) {
    surf1Dwrite(3, surface, 0);  // line: store line
    *y = 0;
}
__global__ void store_and_fetch(cudaSurfaceObject_t surface, cudaTextureObject_t plane, int* y) {
    surf2Dwrite(3, surface, 0, 0);
    *y = tex2D<int>(plane, 0.5f, 0.5f);  // line: after a surface
}

int main(int argc, char** argv) {
    const char* defect = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(defect, name) == 0; };
    int *x = nullptr, *y = nullptr;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore | cudaArrayTextureGather);
    if (!is("never written"))
        cudaMemcpy2DToArray(array, 0, 0, x, 32, 32, 4, cudaMemcpyDeviceToDevice);
    cudaTextureDesc description{};
    cudaResourceDesc memory{}, of_array{};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear = {x, format, n * sizeof(int)};
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    cudaTextureObject_t linear = 0, plane = 0;
    cudaSurfaceObject_t surface = 0;
    cudaCreateTextureObject(&linear, &memory, &description, nullptr);
    cudaCreateTextureObject(&plane, &of_array, &description, nullptr);
    cudaCreateSurfaceObject(&surface, &of_array);

    fetch<<<1, 1>>>(linear, is("outside") ? n : is("before") ? -1 : n - 1, y);
    if (is("never written")) fetch_plane<<<1, 1>>>(plane, y);
    if (is("no object")) fetch<<<1, 1>>>(77, 0, y);
    if (is("other shape")) fetch_plane<<<1, 1>>>(linear, y);
    if (is("other type")) fetch_floats<<<1, 1>>>(linear, y);
    if (is("more components")) fetch_four<<<1, 1>>>(linear, y);
    gather<<<1, 1>>>(plane, is("no such component"), y);
    if (is("stale")) write_and_fetch<<<1, 1>>>(linear, x, y);
    if (is("stale sum")) add_and_fetch<<<1, 1>>>(linear, x, y);
    if (is("race")) fetch_and_write<<<1, 2>>>(linear, x, y);
    store<<<1, 1>>>(surface,
                    is("misaligned")      ? 5
                    : is("too far right") ? 32
                                          : 28,
                    is("too far down") ? 4 : 3, y);
    if (is("other surface")) store_line<<<1, 1>>>(surface, y);
    if (is("stale surface")) store_and_fetch<<<1, 1>>>(surface, plane, y);
    cudaDeviceSynchronize();
    fetch_plane<<<1, 1>>>(plane, y);
    if (!is("destroyed")) cudaDeviceSynchronize();
    if (!is("destroyed surface")) cudaDestroyTextureObject(plane);
    if (is("destroyed surface")) {
        cudaDestroySurfaceObject(surface);
        store<<<1, 1>>>(surface, 0, 0, y);
    }
    if (is("freed array")) {
        cudaFreeArray(array);
        store<<<1, 1>>>(surface, 0, 0, y);
    }
    if (is("freed memory")) {
        cudaFree(x);
        fetch<<<1, 1>>>(linear, 0, y);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
    return 0;
}
