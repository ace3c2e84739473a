// Functions of the driver API, called and looked up, and what streams say about domains.

#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "expect.hpp"

__global__ void raise(int* x) { x[threadIdx.x] += 1; }

static void lookups() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult told{};
    const auto ask = [&](const char* name, unsigned version) {
        return cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &told);
    };
    EXPECT(ask("cuMemAlloc", 3020) == cudaSuccess && told == cudaDriverEntryPointSuccess && found);
    EXPECT(ask("cuStreamGetDevice", 12070) == cudaSuccess && !found);
    EXPECT(told == cudaDriverEntryPointVersionNotSufficent);
    EXPECT(ask("cuMemAlloc", CUDART_VERSION + 10) == cudaErrorInvalidValue);
    EXPECT(ask("cuGetProcAddress", 12000) == cudaSuccess);
    const auto get = reinterpret_cast<PFN_cuGetProcAddress_v12000>(found);
    CUdriverProcAddressQueryResult status{};
    EXPECT(get("cuDeviceGetCount", &found, 2000, 0, &status) == CUDA_SUCCESS && found);
    EXPECT(get("cuDeviceGetCount", &found, 2000, 64, &status) == CUDA_ERROR_INVALID_VALUE);
    cudaGetLastError();
}

static void lacking() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult told{};
    const auto ask = [&](const char* name, unsigned version, unsigned flags) {
        EXPECT(cudaGetDriverEntryPointByVersion(name, &found, version, flags, &told) ==
               cudaErrorSymbolNotFound);
        EXPECT(!found && told == cudaDriverEntryPointSymbolNotFound);
    };
    ask("cuNoSuchFunction", 12000, cudaEnableDefault);
    ask("cuMemAlloc", 2000, cudaEnableDefault);
    ask("cuMemsetD32", 12000, cudaEnablePerThreadDefaultStream);
}

static void words() {
    CUdeviceptr x = 0;
    int sent[4] = {1, 2, 3, 4}, got[4] = {};
    EXPECT(cuMemAlloc(&x, sizeof sent) == CUDA_SUCCESS);
    EXPECT(cuMemcpyHtoD(x, sent, sizeof sent) == CUDA_SUCCESS);
    EXPECT(cuMemsetD32(x, 9, 2) == CUDA_SUCCESS);
    raise<<<1, 4>>>(reinterpret_cast<int*>(x));
    EXPECT(cuMemcpyDtoH(got, x, sizeof got) == CUDA_SUCCESS);
    EXPECT(got[0] == 10 && got[1] == 10 && got[2] == 4 && got[3] == 5);
    EXPECT(cuMemsetD32(x + 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemsetD32(x, 0, 5) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemFree(x) == CUDA_SUCCESS && cuMemFree(x) == CUDA_ERROR_INVALID_VALUE);
    EXPECT(cudaGetLastError() == cudaSuccess);
    const char* text = nullptr;
    EXPECT(cuGetErrorString(CUDA_ERROR_NOT_SUPPORTED, &text) == CUDA_SUCCESS);
    EXPECT(std::strcmp(text, "operation not supported") == 0);
}

static void domains() {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    cudaLaunchAttributeValue value{};
    const auto get = [&](cudaLaunchAttributeID which) {
        return cudaStreamGetAttribute(stream, which, &value);
    };
    const auto set = [&](cudaLaunchAttributeID which) {
        return cudaStreamSetAttribute(stream, which, &value);
    };
    EXPECT(get(cudaLaunchAttributeMemSyncDomain) == cudaSuccess);
    EXPECT(value.memSyncDomain == cudaLaunchMemSyncDomainDefault);
    EXPECT(get(cudaLaunchAttributeMemSyncDomainMap) == cudaSuccess);
    EXPECT(value.memSyncDomainMap.default_ == 0 && value.memSyncDomainMap.remote == 1);
    value.memSyncDomainMap = {2, 3};
    EXPECT(set(cudaLaunchAttributeMemSyncDomainMap) == cudaSuccess);
    value.memSyncDomainMap = {0, 4};
    EXPECT(set(cudaLaunchAttributeMemSyncDomainMap) == cudaErrorInvalidValue);
    EXPECT(get(cudaLaunchAttributeMemSyncDomainMap) == cudaSuccess);
    EXPECT(value.memSyncDomainMap.default_ == 2 && value.memSyncDomainMap.remote == 3);
    value.memSyncDomain = cudaLaunchMemSyncDomain(2);
    EXPECT(set(cudaLaunchAttributeMemSyncDomain) == cudaErrorInvalidValue);
    EXPECT(get(cudaLaunchAttributeSynchronizationPolicy) == cudaErrorNotSupported);
    cudaStreamDestroy(stream);
    cudaGetLastError();
}

int main(int argc, char**) {
    cudaFree(nullptr);
    if (argc > 1) {
        lacking();
    } else {
        lookups();
        words();
        domains();
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
