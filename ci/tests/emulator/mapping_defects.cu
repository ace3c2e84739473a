// Plants one defect in the use of mapped memory, named by the argument; without one, the same work
// done right.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

constexpr size_t piece = 2 << 20;
constexpr int n = piece / sizeof(int);

__global__ void store(int* x, int i) { x[i] = 1; }  // line: store
__global__ void load(const int* x, int i, int* y) { *y = x[i]; }  // line: load
__global__ void add(int* x) { atomicAdd(x, 1); }  // line: add

int main(int argc, char** argv) {
    const char* defect = argc > 1 ? argv[1] : "";
    const auto is = [&](const char* name) { return std::strcmp(defect, name) == 0; };
    int* y = nullptr;
    cudaMalloc(&y, sizeof(int));
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUmemGenericAllocationHandle memory = 0;
    CUdeviceptr place = 0;
    cuMemCreate(&memory, piece, &properties, 0);
    cuMemAddressReserve(&place, 2 * piece, 0, 0, 0);
    int* x = reinterpret_cast<int*>(place);
    if (is("never mapped")) store<<<1, 1>>>(x, 0);
    cudaDeviceSynchronize();
    cuMemMap(place, piece, 0, memory, 0);
    if (!is("released twice")) cuMemRelease(memory);
    if (is("no access")) load<<<1, 1>>>(x, 0, y);
    cudaDeviceSynchronize();
    cuMemSetAccess(place, piece, &access, 1);
    if (is("never written")) load<<<1, 1>>>(x, 0, y);
    store<<<1, 1>>>(x, 0);
    load<<<1, 1>>>(x, 0, y);
    add<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    if (is("beyond")) store<<<1, 1>>>(x, n);
    if (is("beyond the range")) store<<<1, 1>>>(x, 2 * n);
    if (is("read only") || is("read only, added to")) {
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
        cuMemSetAccess(place, piece, &access, 1);
        load<<<1, 1>>>(x, 0, y);
        if (is("read only")) store<<<1, 1>>>(x, 0);
        if (is("read only, added to")) add<<<1, 1>>>(x);
    }
    cudaDeviceSynchronize();
    if (is("not waited for")) store<<<1, 1>>>(x, 0);
    if (is("copied later")) cudaMemsetAsync(x, 0, sizeof(int), nullptr);
    if (is("released twice")) {
        cuMemRelease(memory);
        cuMemRelease(memory);
    }
    cuMemUnmap(place, piece);
    if (is("unmapped")) load<<<1, 1>>>(x, 0, y);
    cudaDeviceSynchronize();
    cuMemAddressFree(place, 2 * piece);
    if (is("freed addresses")) load<<<1, 1>>>(x, 0, y);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("%s\n", cudaGetErrorName(error));
    std::printf("%s\n", cudaGetErrorName(cudaMemset(y, 0, 4)));
    return 0;
}
