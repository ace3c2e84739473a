// What the runtime API answers to calls at its edges: empty, null, beyond the end. All of it as an
// H200 answered.

#include <cuda_runtime.h>

#include <cstdio>

#include "expect.hpp"

__global__ void add(int* x, int n) { *x += n; }

// The call's answer is also the last error.
#define ANSWERS(error, ...)                    \
    do {                                       \
        EXPECT((__VA_ARGS__) == (error));      \
        EXPECT(cudaGetLastError() == (error)); \
    } while (0)

static char host[65536];

static void rows(char* a, char* b) {
    constexpr auto kind = cudaMemcpyDeviceToDevice;
    ANSWERS(cudaErrorInvalidValue, cudaMemcpy2D(a, 8, b, 8, 16, 1, kind));
    ANSWERS(cudaErrorInvalidValue, cudaMemcpy2D(a, 8, b, 16, 16, 1, kind));
    ANSWERS(cudaErrorInvalidValue, cudaMemcpy2D(host, 8, b, 8, 16, 1, cudaMemcpyDeviceToHost));
    ANSWERS(cudaErrorInvalidPitchValue, cudaMemcpy2D(a, 8, b, 8, 16, 2, kind));
    ANSWERS(cudaSuccess, cudaMemcpy2D(a, 0, b, 0, 16, 1, kind));
    ANSWERS(cudaSuccess, cudaMemcpy2D(a, 8, b, 8, 16, 0, kind));
    ANSWERS(cudaSuccess, cudaMemcpy2D(a, 8, b, 8, 0, 1, kind));
    ANSWERS(cudaSuccess, cudaMemset2D(a, 8, 0, 16, 1));
    ANSWERS(cudaErrorInvalidValue, cudaMemset2D(a, 8, 0, 16, 2));

    cudaMemset(a, 1, 64);
    ANSWERS(cudaSuccess, cudaMemset2D(a + 1, 8, 7, 2, 3));
    cudaMemcpy(host, a, 64, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) EXPECT(host[i] == ((i % 8 == 1 || i % 8 == 2) && i < 24 ? 7 : 1));
}

static void managed(char* device) {
    const cudaMemLocation there{cudaMemLocationTypeDevice, 0}, here{cudaMemLocationTypeHost, 0};
    constexpr size_t bytes = 65536;
    char* m = nullptr;
    cudaMallocManaged(&m, bytes);
    ANSWERS(cudaErrorInvalidValue, cudaMemAdvise(m, 0, cudaMemAdviseSetReadMostly, there));
    ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, 0, there, 0, nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(m, size_t(1) << 30, there, 0, nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaMemPrefetchAsync(device, bytes, there, 0, nullptr));
    ANSWERS(cudaSuccess, cudaMemPrefetchAsync(m, bytes, there, 0, nullptr));
    ANSWERS(cudaSuccess, cudaMemPrefetchAsync(m, bytes, here, 0, nullptr));
    cudaDeviceSynchronize();
    cudaFree(m);
}

static void empty(const char* a) {
    ANSWERS(cudaSuccess, cudaFreeAsync(nullptr, nullptr));
    ANSWERS(cudaSuccess, cudaMemcpy(nullptr, a, 0, cudaMemcpyDefault));
    ANSWERS(cudaErrorInvalidValue, cudaMemcpy(nullptr, a, 1, cudaMemcpyDefault));
    ANSWERS(cudaSuccess, cudaMemset(nullptr, 0, 0));
    ANSWERS(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 1));
    void* p = host;
    ANSWERS(cudaSuccess, cudaMalloc(&p, 0));
    EXPECT(p == nullptr);
    ANSWERS(cudaSuccess, cudaMallocHost(&(p = host), 0));
    EXPECT(p == nullptr);
    ANSWERS(cudaSuccess, cudaMallocAsync(&(p = host), 0, nullptr));
    EXPECT(p == nullptr);
    ANSWERS(cudaSuccess, cudaMallocManaged(&(p = host), 0));
    ANSWERS(cudaErrorInvalidValue, cudaHostRegister(host, 0, 0));
    ANSWERS(cudaErrorInvalidValue, cudaHostGetDevicePointer(&p, host, 0));

    cudaPointerAttributes of_null{};
    ANSWERS(cudaSuccess, cudaPointerGetAttributes(&of_null, nullptr));
    EXPECT(of_null.type == cudaMemoryTypeUnregistered && of_null.device == cudaInvalidDeviceId);
    EXPECT(of_null.devicePointer == nullptr && of_null.hostPointer == nullptr);
}

static void nowhere_to_put_it(const char* a) {
    ANSWERS(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, a));
    ANSWERS(cudaErrorInvalidValue, cudaMalloc(static_cast<void**>(nullptr), 1));
    ANSWERS(cudaErrorInvalidValue, cudaMallocHost(static_cast<void**>(nullptr), 1));
    ANSWERS(cudaErrorInvalidValue, cudaMallocManaged(static_cast<void**>(nullptr), 1));
    ANSWERS(cudaErrorInvalidValue, cudaMallocAsync(static_cast<void**>(nullptr), 1, nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaEventCreate(nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaGetDevice(nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaEventElapsedTime(nullptr, nullptr, nullptr));
    ANSWERS(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    ANSWERS(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
    ANSWERS(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, add));
    ANSWERS(cudaErrorInvalidValue,
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, add, 128, 0));
    ANSWERS(cudaSuccess, cudaMemGetInfo(nullptr, nullptr));
}

// A copy that is refused is not in the graph, and does no harm to it; a launch that is refused
// does.
static void while_captured(char* a, char* b) {
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed}) {
        cudaStream_t stream = nullptr;
        cudaStreamCreate(&stream);
        const auto ends = [&](cudaError_t expected) {
            cudaGraph_t graph = nullptr;
            EXPECT(cudaStreamEndCapture(stream, &graph) == expected);
            EXPECT((graph != nullptr) == (expected == cudaSuccess));
            cudaGetLastError();
            if (graph) cudaGraphDestroy(graph);
            cudaStreamBeginCapture(stream, mode);
            add<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(a), 1);
        };
        ends(cudaErrorIllegalState);
        ANSWERS(cudaErrorInvalidValue, cudaMemcpyAsync(nullptr, a, 16, cudaMemcpyDefault, stream));
        ends(cudaSuccess);
        ANSWERS(cudaSuccess, cudaMemcpyAsync(a, b, 16, cudaMemcpyHostToDevice,
                                             stream));  // nobody looks at it yet
        ends(cudaSuccess);
        ANSWERS(cudaErrorInvalidMemcpyDirection,
                cudaMemcpyAsync(a, b, 16, cudaMemcpyKind(9), stream));
        ends(cudaSuccess);
        ANSWERS(cudaErrorInvalidValue,
                cudaMemcpyAsync(a, b, size_t(1) << 30, cudaMemcpyDefault, stream));
        ends(cudaSuccess);
        ANSWERS(cudaSuccess, cudaMemcpyAsync(a, b, 0, cudaMemcpyDefault, stream));
        ends(cudaSuccess);
        ANSWERS(cudaErrorInvalidPitchValue,
                cudaMemcpy2DAsync(a, 8, b, 8, 16, 2, cudaMemcpyDefault, stream));
        ends(cudaSuccess);
        ANSWERS(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr, stream));
        ends(cudaSuccess);
        ANSWERS(cudaSuccess, cudaFreeAsync(nullptr, stream));
        ends(cudaSuccess);
        ANSWERS(cudaErrorInvalidValue, cudaFreeAsync(a, stream));
        ends(cudaSuccess);
        add<<<1, 2048, 0, stream>>>(reinterpret_cast<int*>(a), 1);
        EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
        ends(cudaErrorStreamCaptureInvalidated);
        cudaStreamDestroy(stream);
    }
}

int main() {
    char *a = nullptr, *b = nullptr;
    cudaMalloc(&a, 65536);
    cudaMalloc(&b, 65536);
    cudaMemset(b, 0, 65536);
    rows(a, b);
    managed(a);
    empty(a);
    nowhere_to_put_it(a);
    while_captured(a, b);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
