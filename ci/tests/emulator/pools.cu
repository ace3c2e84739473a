// Memory pools: accounting, and which freed memory a stream gets again.

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

#include "expect.hpp"

constexpr size_t mebibyte = 1 << 20;

__global__ void fill(int* x, int n) { x[threadIdx.x] = n; }

static uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
    uint64_t found = 0;
    EXPECT(cudaMemPoolGetAttribute(pool, which, &found) == cudaSuccess);
    return found;
}
static void allow(cudaMemPool_t pool, int events, int opportunistic, int internal) {
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &events);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &opportunistic);
    cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &internal);
}
static cudaMemPool_t made_pool(size_t most) {
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location = {cudaMemLocationTypeDevice, 0};
    wanted.maxSize = most;
    cudaMemPool_t pool = nullptr;
    EXPECT(cudaMemPoolCreate(&pool, &wanted) == cudaSuccess);
    return pool;
}

static void accounting() {
    cudaMemPool_t pool = nullptr, current = nullptr;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    EXPECT(cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == pool);
    int *x = nullptr, *y = nullptr;
    EXPECT(cudaMallocAsync(&x, 3 * mebibyte, nullptr) == cudaSuccess);
    EXPECT(cudaMallocAsync(&y, mebibyte, nullptr) == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 4 * mebibyte);
    EXPECT(attribute(pool, cudaMemPoolAttrReservedMemCurrent) >= 4 * mebibyte);
    fill<<<1, 32>>>(x, 5);
    EXPECT(cudaFreeAsync(x, nullptr) == cudaSuccess);
    EXPECT(cudaFreeAsync(x, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaFreeAsync(y, nullptr) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(nullptr) == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
    EXPECT(attribute(pool, cudaMemPoolAttrUsedMemHigh) == 4 * mebibyte);
    EXPECT(attribute(pool, cudaMemPoolAttrReservedMemCurrent) == 0);  // above the threshold
    uint64_t keep = UINT64_MAX;
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess);
    EXPECT(cudaMallocAsync(&x, mebibyte, nullptr) == cudaSuccess);
    EXPECT(cudaFree(x) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrReservedMemCurrent) >= mebibyte);
    EXPECT(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
    uint64_t zero = 0;
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrUsedMemHigh) == 0);
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &keep) ==
           cudaErrorInvalidValue);
    EXPECT(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
    cudaGetLastError();
}

static void reuse() {
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t event = nullptr;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaMemPool_t pool = made_pool(0);
    uint64_t keep = UINT64_MAX;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
    const auto taken = [&](cudaStream_t stream) {
        void* x = nullptr;
        EXPECT(cudaMallocFromPoolAsync(&x, mebibyte, pool, stream) == cudaSuccess);
        return x;
    };
    allow(pool, 0, 0, 0);
    void* x = taken(one);
    cudaFreeAsync(x, one);
    EXPECT(taken(two) != x);   // nothing orders the two
    EXPECT(taken(one) == x);   // the same stream's
    cudaFreeAsync(x, one);
    cudaStreamSynchronize(one);
    EXPECT(taken(two) == x);   // the host has seen it free
    cudaFreeAsync(x, two);
    cudaEventRecord(event, two);
    cudaStreamWaitEvent(one, event);
    void* other = taken(one);
    EXPECT(other != x);        // events are not followed
    allow(pool, 1, 0, 0);
    EXPECT(taken(one) == x);
    cudaFreeAsync(x, one);
    cudaFreeAsync(other, one);
    cudaDeviceSynchronize();

    cudaMemPool_t small = made_pool(2 * mebibyte);
    pool = small;
    allow(pool, 0, 0, 0);
    void* whole = nullptr;
    EXPECT(cudaMallocFromPoolAsync(&whole, 4 * mebibyte, pool, one) == cudaErrorMemoryAllocation);
    x = taken(one);
    other = taken(one);
    EXPECT(cudaMallocFromPoolAsync(&whole, mebibyte, pool, two) == cudaErrorMemoryAllocation);
    fill<<<1, 32, 0, one>>>(static_cast<int*>(x), 1);
    cudaFreeAsync(x, one);
    allow(pool, 0, 0, 1);
    EXPECT(taken(two) == x);   // after waiting for the other stream
    fill<<<1, 32, 0, two>>>(static_cast<int*>(x), 2);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    int found = 0;
    EXPECT(cudaMemcpy(&found, x, sizeof found, cudaMemcpyDefault) == cudaSuccess && found == 2);
    EXPECT(cudaMemPoolDestroy(pool) == cudaSuccess);
    EXPECT(cudaMemcpy(&found, x, sizeof found, cudaMemcpyDefault) == cudaSuccess && found == 2);
    EXPECT(cudaFreeAsync(x, nullptr) == cudaSuccess);
    cudaGetLastError();
}

static void which_pool() {
    cudaMemPool_t pool = made_pool(0), before = nullptr, current = nullptr;
    cudaDeviceGetMemPool(&before, 0);
    EXPECT(cudaDeviceSetMemPool(0, pool) == cudaSuccess);
    EXPECT(cudaDeviceGetMemPool(&current, 0) == cudaSuccess && current == pool);
    void* x = nullptr;
    EXPECT(cudaMallocAsync(&x, mebibyte, nullptr) == cudaSuccess);
    EXPECT(attribute(pool, cudaMemPoolAttrUsedMemCurrent) == mebibyte);
    EXPECT(cudaDeviceSetMemPool(0, before) == cudaSuccess);
    EXPECT(cudaFreeAsync(x, nullptr) == cudaSuccess);
    cudaMemLocation here{cudaMemLocationTypeDevice, 0};
    cudaMemAccessFlags flags{};
    EXPECT(cudaMemPoolGetAccess(&flags, pool, &here) == cudaSuccess);
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    cudaMemAccessDesc elsewhere{};
    elsewhere.location = {cudaMemLocationTypeDevice, 5};
    elsewhere.flags = cudaMemAccessFlagsProtReadWrite;
    EXPECT(cudaMemPoolSetAccess(pool, &elsewhere, 1) == cudaErrorInvalidDevice);
    EXPECT(cudaMemPoolDestroy(pool) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaGetLastError();
}

int main() {
    accounting();
    reuse();
    which_pool();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
