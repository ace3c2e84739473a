// Green contexts: how SMs are divided, where kernels run, and what contexts and streams say.

#include <cuda.h>
#include <cuda_runtime.h>

#include <bitset>
#include <vector>

#include "expect.hpp"

using sms = std::bitset<132>;

__global__ void mark(int* marks) {
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    marks[sm] = 1;
}

static sms used_by(CUstream stream) {
    int *marks, found[132];
    cudaMalloc(&marks, sizeof found);
    cudaMemset(marks, 0, sizeof found);
    cudaDeviceSynchronize();  // the stream does not wait for the fill
    mark<<<500, 1, 0, stream>>>(marks);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    cudaMemcpy(found, marks, sizeof found, cudaMemcpyDeviceToHost);
    sms used;
    for (int sm = 0; sm < 132; ++sm) used[sm] = found[sm];
    return used;
}

static CUgreenCtx made_of(std::vector<CUdevResource> resources) {
    CUdevResourceDesc description;
    CUgreenCtx context = nullptr;
    EXPECT(cuDevResourceGenerateDesc(&description, resources.data(), unsigned(resources.size())) ==
           CUDA_SUCCESS);
    EXPECT(cuGreenCtxCreate(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) == CUDA_SUCCESS);
    return context;
}

static CUstream stream_in(CUgreenCtx context) {
    CUstream stream = nullptr;
    EXPECT(cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0) == CUDA_SUCCESS);
    return stream;
}

static void splits(const CUdevResource& all) {
    const struct {
        unsigned groups, least, flags, made, size, rest;
    } cases[] = {{2, 72, 0, 1, 72, 60}, {6, 11, 0, 6, 16, 36},   {6, 11, 1, 6, 12, 60},
                 {2, 0, 0, 2, 8, 116},  {16, 8, 0, 15, 8, 12},   {4, 40, 0, 3, 40, 12},
                 {66, 2, 1, 66, 2, 0},  {1, 16, 64, 1, 16, 116}, {2, 24, 2, 2, 24, 84}};
    for (const auto& each : cases) {
        std::vector<CUdevResource> groups(each.groups);
        CUdevResource rest{};
        unsigned made = each.groups;
        EXPECT(cuDevSmResourceSplitByCount(groups.data(), &made, &all, &rest, each.flags,
                                           each.least) == CUDA_SUCCESS);
        EXPECT(made == each.made && groups[0].sm.smCount == each.size &&
               rest.sm.smCount == each.rest);
    }
    unsigned possible = 0;
    EXPECT(cuDevSmResourceSplitByCount(nullptr, &possible, &all, nullptr, 0, 24) == CUDA_SUCCESS &&
           possible == 5);
    CUdevResource group{}, parts[4]{}, empty{};
    unsigned count = 1;
    EXPECT(cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 133) ==
           CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
    EXPECT(cuDevSmResourceSplitByCount(&group, &count, &empty, nullptr, 0, 16) ==
           CUDA_ERROR_INVALID_RESOURCE_TYPE);
    EXPECT(cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 64) == CUDA_SUCCESS);
    EXPECT(cuDevSmResourceSplitByCount(parts, &count, &group, nullptr, 0, 16) ==
           CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION);
}

static void places(const CUdevResource& all) {
    CUdevResource groups[3]{};
    unsigned count = 3;
    cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, 16);
    const CUgreenCtx left = made_of({groups[0], groups[1]}),
                     right = made_of({groups[1], groups[2]});
    const CUstream of_left = stream_in(left), of_right = stream_in(right);
    const sms a = used_by(of_left), b = used_by(of_right);
    EXPECT(a.count() == 32 && b.count() == 32 && (a & b).count() == 16);
    CUdevResource its{};
    EXPECT(cuGreenCtxGetDevResource(left, &its, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS);
    EXPECT(its.sm.smCount == 32 && its.sm.smCoscheduledAlignment == 8);
    count = 2;
    EXPECT(cuDevSmResourceSplitByCount(groups, &count, &its, nullptr, 0, 16) == CUDA_SUCCESS);
    const CUgreenCtx inner = made_of({groups[1]});
    const CUstream of_inner = stream_in(inner);
    const sms c = used_by(of_inner);
    EXPECT(c.count() == 16 && (c & a) == c);
    cudaStream_t plain;
    cudaStreamCreate(&plain);
    EXPECT(used_by(plain).count() == 132);
    int* marks;
    cudaMalloc(&marks, 132 * 4);
    cudaMemset(marks, 0, 132 * 4);
    cudaDeviceSynchronize();
    cudaStreamBeginCapture(of_inner, cudaStreamCaptureModeThreadLocal);
    mark<<<500, 1, 0, of_inner>>>(marks);
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    EXPECT(cudaStreamEndCapture(of_inner, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
    EXPECT(cudaGraphLaunch(instance, plain) == cudaSuccess);  // its kernel keeps its SMs
    std::vector<int> found(132);
    cudaStreamSynchronize(plain);
    cudaMemcpy(found.data(), marks, 132 * 4, cudaMemcpyDeviceToHost);
    for (int sm = 0; sm < 132; ++sm) EXPECT(found[sm] == int(c[sm]));
    EXPECT(cuStreamDestroy(of_inner) == CUDA_SUCCESS && cuGreenCtxDestroy(inner) == CUDA_SUCCESS);
    EXPECT(cuGreenCtxDestroy(right) == CUDA_SUCCESS);
    EXPECT(cuStreamQuery(of_right) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
    EXPECT(cuGreenCtxDestroy(right) == CUDA_ERROR_INVALID_CONTEXT);
}

static void current(const CUdevResource& all) {
    CUdevResource group{}, its{};
    unsigned count = 1;
    cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 24);
    const CUgreenCtx green = made_of({group});
    CUcontext primary = nullptr, converted = nullptr, now = nullptr;
    CUgreenCtx of_stream = nullptr;
    EXPECT(cuCtxGetCurrent(&primary) == CUDA_SUCCESS && primary);
    EXPECT(cuCtxFromGreenCtx(&converted, green) == CUDA_SUCCESS && converted != primary);
    EXPECT(cuCtxPushCurrent(reinterpret_cast<CUcontext>(green)) == CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuCtxPushCurrent(converted) == CUDA_SUCCESS);
    EXPECT(cuCtxGetCurrent(&now) == CUDA_SUCCESS && now == converted);
    EXPECT(cuCtxGetDevResource(now, &its, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS &&
           its.sm.smCount == 24);
    cudaStream_t inside, outside;
    cudaStreamCreate(&inside);
    EXPECT(cuCtxSynchronize() == CUDA_SUCCESS);
    EXPECT(cuCtxPopCurrent(&now) == CUDA_SUCCESS && now == converted);
    cudaStreamCreate(&outside);
    EXPECT(cuStreamGetGreenCtx(inside, &of_stream) == CUDA_SUCCESS && of_stream == green);
    EXPECT(cuStreamGetGreenCtx(outside, &of_stream) == CUDA_SUCCESS && of_stream == nullptr);
    EXPECT(used_by(inside).count() == 24);
    EXPECT(cuCtxGetDevResource(primary, &its, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS &&
           its.sm.smCount == 132);
    cudaEvent_t event;
    cudaEventCreate(&event);
    EXPECT(cuGreenCtxRecordEvent(green, event) == CUDA_SUCCESS);
    EXPECT(cuGreenCtxWaitEvent(green, event) == CUDA_SUCCESS);
    EXPECT(cudaEventSynchronize(event) == cudaSuccess);
}

int main(int argc, char**) {
    cudaSetDevice(0);
    CUdevResource all{};
    EXPECT(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS);
    EXPECT(all.sm.smCount == 132 && all.sm.minSmPartitionSize == 8);
    if (argc > 1) {  // what the emulator lacks
        CUdevResource group{};
        unsigned count = 1;
        EXPECT(cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 128) ==
               CUDA_ERROR_NOT_SUPPORTED);
        cuDevSmResourceSplitByCount(&group, &count, &all, nullptr, 0, 24);
        CUcontext converted = nullptr;
        cuCtxFromGreenCtx(&converted, made_of({group}));
        cuCtxPushCurrent(converted);
        mark<<<1, 1>>>(nullptr);
        EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    } else {
        splits(all);
        places(all);
        current(all);
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
