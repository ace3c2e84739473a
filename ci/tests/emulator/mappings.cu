// Virtual memory management: what each call does and refuses, and what kernels find.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

#include "expect.hpp"

constexpr size_t piece = 2 << 20;
constexpr int n = piece / sizeof(int);

__global__ void number(int* x, int first) { x[threadIdx.x] = first + int(threadIdx.x); }
__global__ void sum_of(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }
__global__ void add_one(int* x) { atomicAdd(x, 1); }

static CUmemAllocationProp properties_of(CUmemLocationType type) {
    CUmemAllocationProp wanted{};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = type;
    return wanted;
}
static CUmemGenericAllocationHandle created(CUmemLocationType type = CU_MEM_LOCATION_TYPE_DEVICE) {
    const CUmemAllocationProp wanted = properties_of(type);
    CUmemGenericAllocationHandle made = 0;
    EXPECT(cuMemCreate(&made, piece, &wanted, 0) == CUDA_SUCCESS);
    return made;
}
static CUdeviceptr reserved(size_t bytes) {
    CUdeviceptr place = 0;
    EXPECT(cuMemAddressReserve(&place, bytes, 0, 0, 0) == CUDA_SUCCESS && place % piece == 0);
    return place;
}
static CUresult allow(CUdeviceptr place, size_t bytes, CUmemAccess_flags rights,
                      CUmemLocationType type = CU_MEM_LOCATION_TYPE_DEVICE) {
    CUmemAccessDesc access{};
    access.location.type = type;
    access.flags = rights;
    return cuMemSetAccess(place, bytes, &access, 1);
}
static int* pointer(CUdeviceptr place) { return reinterpret_cast<int*>(place); }
static int sum_at(CUdeviceptr place) {
    int sum = 0, *d_sum = nullptr;
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemset(d_sum, 0, sizeof sum);
    sum_of<<<1, 64>>>(pointer(place), d_sum);
    EXPECT(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDefault) == cudaSuccess);
    cudaFree(d_sum);
    return sum;
}
static size_t free_memory() {
    size_t unused = 0, total = 0;
    cudaMemGetInfo(&unused, &total);
    return unused;
}

static void before_any_context() {
    size_t granularity = 0;
    const CUmemAllocationProp wanted = properties_of(CU_MEM_LOCATION_TYPE_DEVICE);
    const auto asked = [&] {
        return cuMemGetAllocationGranularity(&granularity, &wanted,
                                             CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    };
    EXPECT(asked() == CUDA_ERROR_NOT_INITIALIZED);
    EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE && cuInit(0) == CUDA_SUCCESS);
    EXPECT(asked() == CUDA_SUCCESS && granularity == piece);
    EXPECT(cuMemsetD32(0, 0, 1) == CUDA_ERROR_INVALID_CONTEXT);
    CUdevice device = -1;
    EXPECT(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
    EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS && device == 0);
    const char* name = nullptr;
    EXPECT(cuGetErrorName(CUresult(-1), &name) == CUDA_ERROR_INVALID_VALUE && !name);
}

static void values_stay_with_their_memory() {
    const size_t before = free_memory();
    const CUdeviceptr range = reserved(4 * piece), other = reserved(piece);
    EXPECT(free_memory() == before);
    CUmemGenericAllocationHandle first = created(), second = created(), found = 0;
    EXPECT(free_memory() == before - 2 * piece);
    EXPECT(cuMemMap(range, piece, 0, first, 0) == CUDA_SUCCESS);
    EXPECT(cuMemMap(range + piece, piece, 0, second, 0) == CUDA_SUCCESS);
    EXPECT(allow(range, 2 * piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    number<<<1, 64>>>(pointer(range), 0);
    EXPECT(cudaMemset(pointer(range) + n - 1, 0, 8) == cudaSuccess);  // of both
    EXPECT(cuMemsetD32(range + piece, 7, 64) == CUDA_SUCCESS);
    EXPECT(sum_at(range) == 2016 && sum_at(range + piece) == 7 * 64);
    EXPECT(cuMemRetainAllocationHandle(&found, pointer(range) + 5) == CUDA_SUCCESS);
    EXPECT(found == first && cuMemRelease(found) == CUDA_SUCCESS);

    EXPECT(cuMemUnmap(range, 2 * piece) == CUDA_SUCCESS);
    EXPECT(cuMemMap(other, piece, 0, first, 0) == CUDA_SUCCESS);
    EXPECT(cuMemMap(range, piece, 0, second, 0) == CUDA_SUCCESS);
    EXPECT(allow(other, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    EXPECT(allow(range, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    EXPECT(cuMemRelease(first) == CUDA_SUCCESS && cuMemRelease(second) == CUDA_SUCCESS);
    EXPECT(allow(other, piece, CU_MEM_ACCESS_FLAGS_PROT_NONE) == CUDA_SUCCESS);
    EXPECT(allow(other, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    EXPECT(sum_at(other) == 2016 && sum_at(range) == 7 * 64);
    EXPECT(free_memory() == before - 2 * piece);
    EXPECT(cuMemUnmap(other, piece) == CUDA_SUCCESS && cuMemUnmap(range, piece) == CUDA_SUCCESS);
    EXPECT(free_memory() == before);
    EXPECT(cuMemAddressFree(range, 4 * piece) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(other, piece) == CUDA_SUCCESS);
}

static void the_host_is_told() {
    const CUdeviceptr range = reserved(2 * piece);
    const CUmemGenericAllocationHandle memory = created();
    CUdeviceptr begin = 0;
    size_t bytes = 0;
    int word = 0;
    cudaPointerAttributes kind{};
    EXPECT(cuMemMap(range, piece, 0, memory, 0) == CUDA_SUCCESS);
    EXPECT(cudaPointerGetAttributes(&kind, pointer(range)) == cudaSuccess);
    EXPECT(kind.type == cudaMemoryTypeDevice);
    EXPECT(cudaPointerGetAttributes(&kind, pointer(range + piece)) == cudaSuccess);
    EXPECT(kind.type == cudaMemoryTypeUnregistered);
    EXPECT(cudaMemset(pointer(range), 0, 4) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(&word, pointer(range), 4, cudaMemcpyDefault) == cudaErrorInvalidValue);
    EXPECT(cuMemsetD32(range, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemGetAddressRange(&begin, &bytes, range + 9) == CUDA_ERROR_NOT_FOUND);
    EXPECT(allow(range, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    EXPECT(cuMemGetAddressRange(&begin, &bytes, range + 9) == CUDA_SUCCESS);
    EXPECT(begin == range && bytes == piece);
    EXPECT(cudaMemset(pointer(range) + n - 1, 0, 8) == cudaErrorInvalidValue);  // half of it
    EXPECT(cudaFree(pointer(range)) == cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT(cuMemcpyDtoH(&word, range + piece, 4) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cudaGetLastError() == cudaSuccess);  // no error of the runtime's
    EXPECT(cuMemUnmap(range, piece) == CUDA_SUCCESS && cuMemRelease(memory) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(range, 2 * piece) == CUDA_SUCCESS);
}

static void memory_of_the_host() {
    const CUdeviceptr range = reserved(piece);
    const CUmemGenericAllocationHandle memory = created(CU_MEM_LOCATION_TYPE_HOST);
    EXPECT(cuMemMap(range, piece, 0, memory, 0) == CUDA_SUCCESS);
    EXPECT(allow(range, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    EXPECT(allow(range, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_LOCATION_TYPE_HOST) ==
           CUDA_SUCCESS);
    int* x = pointer(range);
    x[0] = 41;
    add_one<<<1, 1>>>(x);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && x[0] == 42);
    EXPECT(cuMemRelease(memory) == CUDA_SUCCESS && cuMemUnmap(range, piece) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(range, piece) == CUDA_SUCCESS);
}

static void refusals() {
    CUmemAllocationProp wanted = properties_of(CU_MEM_LOCATION_TYPE_DEVICE);
    CUmemGenericAllocationHandle made = 0;
    CUdeviceptr place = 0;
    EXPECT(cuMemCreate(&made, 0, &wanted, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&made, piece, &wanted, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemCreate(&made, free_memory() / piece * piece + piece, &wanted, 0) ==
           CUDA_ERROR_OUT_OF_MEMORY);
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
    EXPECT(cuMemCreate(&made, piece, &wanted, 0) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemAddressReserve(&place, 0, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&place, piece, 0, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&place, piece, 8 * piece, 0, 0) == CUDA_SUCCESS);
    EXPECT(place % (8 * piece) == 0);
    EXPECT(cuMemUnmap(64, piece) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemSetAccess(place, piece, nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
    made = created();
    EXPECT(cuMemMap(place, piece, 0, made, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(place, piece, piece, made, 0) == CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemMap(place, 2 * piece, 0, made, 0) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(place, piece, 0, made, 0) == CUDA_SUCCESS);
    EXPECT(allow(place, piece, CUmemAccess_flags(2)) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(allow(place + 4096, piece - 4096, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) ==
           CUDA_ERROR_INVALID_VALUE);
    EXPECT(allow(place, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_LOCATION_TYPE_HOST) ==
           CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemAddressFree(place, piece) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemUnmap(place, piece) == CUDA_SUCCESS && cuMemRelease(made) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(place, piece) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(place, piece) == CUDA_ERROR_INVALID_VALUE);
}

#ifndef __wasm__
static void two_addresses() {
    const CUdeviceptr writer = reserved(piece), reader = reserved(piece);
    const CUmemGenericAllocationHandle memory = created();
    EXPECT(cuMemMap(writer, piece, 0, memory, 0) == CUDA_SUCCESS);
    EXPECT(cuMemMap(reader, piece, 0, memory, 0) == CUDA_SUCCESS);
    EXPECT(cuMemRelease(memory) == CUDA_SUCCESS);
    EXPECT(allow(reader, piece, CU_MEM_ACCESS_FLAGS_PROT_READ) == CUDA_SUCCESS);
    EXPECT(allow(writer, piece, CU_MEM_ACCESS_FLAGS_PROT_READWRITE) == CUDA_SUCCESS);
    number<<<1, 64>>>(pointer(writer), 1);
    EXPECT(sum_at(reader) == 2080);
    EXPECT(cudaMemset(pointer(reader), 0, 4) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpy(pointer(writer) + 64, pointer(reader), 256, cudaMemcpyDefault) ==
           cudaSuccess);
    EXPECT(sum_at(reader + 256) == 2080);
    EXPECT(cuMemUnmap(writer, piece) == CUDA_SUCCESS);
    EXPECT(sum_at(reader) == 2080);
    EXPECT(cuMemUnmap(reader, piece) == CUDA_SUCCESS);
    EXPECT(cuMemAddressFree(writer, piece) == CUDA_SUCCESS);
    CUdeviceptr again = 0;
    EXPECT(cuMemAddressReserve(&again, piece, 0, writer, 0) == CUDA_SUCCESS && again == writer);
    cudaGetLastError();
}
#else
static void two_addresses() {}
#endif

int main() {
    before_any_context();
    cudaFree(nullptr);
    values_stay_with_their_memory();
    the_host_is_told();
    memory_of_the_host();
    refusals();
    two_addresses();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
