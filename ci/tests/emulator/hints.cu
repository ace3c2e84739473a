// What says how fast, and not what: hints for the L2 cache; and what the hardware has no more of.

#include <cuda_runtime.h>

#include <cuda/work_stealing>

#include <vector>

#include "expect.hpp"

__global__ void hinted(const int* x, const double* d, int* sum) {
    extern __shared__ char dynamic[];
    __shared__ alignas(1024) int aligned[32];
    const int t = threadIdx.x;
    unsigned long long keep, pass;
    asm("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;" : "=l"(keep));
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(pass));
    int word;
    unsigned again;
    double number;
    asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"(x));
    asm volatile("ld.global.L2::cache_hint.b32 %0, [%1], %2;"
                 : "=r"(word)
                 : "l"(x + t), "l"(keep)
                 : "memory");
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(again) : "l"(x + t) : "memory");
    asm volatile("ld.global.f64 %0, [%1];" : "=d"(number) : "l"(d + t) : "memory");
    asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(x) : "memory");
    const size_t begin = __cvta_generic_to_shared(aligned);
    const bool right = begin % 1024 == 0 &&
                       __cvta_generic_to_shared(aligned + t) == begin + 4 * t &&
                       __cvta_generic_to_shared(dynamic) >= 1024;
    const int all = right ? word + int(again) + int(number) : -1;
    asm volatile("st.global.b32 [%0], %1;" ::"l"(sum + t), "r"(all) : "memory");
}

__global__ void canceled(int* done) {
    cuda::for_each_canceled_block<2>([=](dim3 block) {
        if (threadIdx.x == 0 && block.z == 1) atomicAdd(&done[block.y * gridDim.x + block.x], 1);
    });
}

static void windows() {
    size_t limit = 0;
    EXPECT(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaSuccess &&
           limit == 11796480);
    for (const size_t asked : {size_t(0), size_t(1), size_t(3932160), size_t(3932161)}) {
        EXPECT(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, asked) == cudaSuccess);
        EXPECT(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaSuccess);
        EXPECT(limit == (asked + 3932159) / 3932160 * 3932160);
    }
    EXPECT(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 39321601) == cudaErrorInvalidValue);
    EXPECT(cudaCtxResetPersistingL2Cache() == cudaSuccess);
    cudaGetLastError();
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamAttrValue value{}, found{};
    cudaAccessPolicyWindow& window = value.accessPolicyWindow;
    window.num_bytes = 1000;
    window.hitRatio = 1;
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    const auto set = [&] {
        const cudaError_t error =
            cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
        EXPECT(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &found) ==
               cudaSuccess);
        return error;
    };
    EXPECT(set() == cudaSuccess && found.accessPolicyWindow.num_bytes == 1000);
    window.num_bytes = (128 << 20) + 1;
    EXPECT(set() == cudaErrorInvalidValue && found.accessPolicyWindow.num_bytes == 1000);
    window.num_bytes = 2000;
    window.hitRatio = 1.5f;
    EXPECT(set() == cudaErrorInvalidValue);
    window.hitRatio = 1;
    window.missProp = cudaAccessPropertyPersisting;
    EXPECT(set() == cudaErrorInvalidValue && found.accessPolicyWindow.num_bytes == 1000);
    cudaGetLastError();
}

int main() {
    std::vector<int> numbers(32), sums(32), counts(12);
    std::vector<double> fractions(32);
    for (int i = 0; i < 32; ++i) numbers[i] = i, fractions[i] = 100 * i;
    int *x, *sum, *done;
    double* d;
    cudaMalloc(&x, 128);
    cudaMalloc(&sum, 128);
    cudaMalloc(&d, 256);
    cudaMalloc(&done, 48);
    cudaMemset(done, 0, 48);
    cudaMemcpy(x, numbers.data(), 128, cudaMemcpyHostToDevice);
    cudaMemcpy(d, fractions.data(), 256, cudaMemcpyHostToDevice);
    hinted<<<1, 32, 64>>>(x, d, sum);
    canceled<<<dim3(4, 3), 32>>>(done);
    EXPECT(cudaMemcpy(sums.data(), sum, 128, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaMemcpy(counts.data(), done, 48, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 32; ++i) EXPECT(sums[i] == 102 * i);
    for (const int count : counts) EXPECT(count == 1);
    windows();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
