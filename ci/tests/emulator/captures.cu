// Graphs that streams capture, and what may be called meanwhile.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "expect.hpp"

__global__ void add(int* x, int n) { *x += n; }

// A graph of two streams, ended as told.
enum Mistake { none, unjoined, waited, ended_in_another };
static cudaError_t captured(int* x, Mistake mistake, cudaGraph_t* graph) {
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t forked = nullptr, joined = nullptr;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, one>>>(x, 1);
    cudaEventRecord(forked, one);
    cudaStreamWaitEvent(two, forked);
    add<<<1, 1, 0, two>>>(x, 10);
    if (mistake == waited) EXPECT(cudaStreamSynchronize(two) == cudaErrorStreamCaptureUnsupported);
    cudaEventRecord(joined, two);
    if (mistake != unjoined) cudaStreamWaitEvent(one, joined);
    if (mistake == ended_in_another)
        EXPECT(cudaStreamEndCapture(two, graph) == cudaErrorStreamCaptureUnmatched);
    const cudaError_t error = cudaStreamEndCapture(one, graph);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaGetLastError();
    return error;
}

static void graphs(int* x) {
    cudaGraph_t graph = nullptr;
    cudaMemset(x, 0, sizeof(int));
    EXPECT(captured(x, unjoined, &graph) == cudaErrorStreamCaptureUnjoined && graph == nullptr);
    EXPECT(captured(x, waited, &graph) == cudaErrorStreamCaptureInvalidated && graph == nullptr);
    EXPECT(captured(x, ended_in_another, &graph) == cudaErrorStreamCaptureInvalidated &&
           graph == nullptr);
    EXPECT(captured(x, none, &graph) == cudaSuccess);
    cudaGraphExec_t instance = nullptr;
    cudaGraphInstantiate(&instance, graph, 0);
    for (int run = 0; run < 3; ++run) cudaGraphLaunch(instance, nullptr);
    int sum = 0;
    cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDefault);
    EXPECT(sum == 33);
}

__device__ int symbol;

// What a call is given while a stream is captured.
struct Meanwhile {
    cudaStream_t captured, other;
    cudaEvent_t event;  // recorded in the other stream
    int* x;
};
static void meanwhile(int line, cudaError_t (*call)(const Meanwhile&), cudaError_t strict,
                      cudaError_t relaxed, bool spoils = true) {
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                            cudaStreamCaptureModeRelaxed}) {
        Meanwhile given{};
        cudaStreamCreate(&given.captured);
        cudaStreamCreate(&given.other);
        cudaEventCreate(&given.event);
        cudaEventRecord(given.event, given.other);
        cudaMalloc(&given.x, 4096);
        cudaMemset(given.x, 0, 4096);
        cudaDeviceSynchronize();
        cudaGraph_t graph = nullptr;
        cudaStreamBeginCapture(given.captured, mode);
        add<<<1, 1, 0, given.captured>>>(given.x, 1);
        const cudaError_t expected = mode == cudaStreamCaptureModeRelaxed ? relaxed : strict;
        const cudaError_t found = call(given);
        const cudaError_t last = cudaGetLastError();
        const cudaError_t end = cudaStreamEndCapture(given.captured, &graph);
        const bool lost = spoils && expected != cudaSuccess;
        if (found != expected || last != expected ||
            end != (lost ? cudaErrorStreamCaptureInvalidated : cudaSuccess)) {
            printf("line %d: in mode %d %d, then %d, and at the end %d\n", line, int(mode),
                   int(found), int(last), int(end));
            ++failures;
        }
        cudaGetLastError();
        cudaStreamDestroy(given.captured);
        cudaStreamDestroy(given.other);
        cudaDeviceSynchronize();
        cudaGetLastError();
    }
}
#define MEANWHILE(strict, relaxed, ...) \
    meanwhile(__LINE__, [](const Meanwhile& given) -> cudaError_t { __VA_ARGS__; }, strict, relaxed)

// As an H200 with driver 580 answers.
static void calls_during_a_capture() {
    constexpr cudaError_t fine = cudaSuccess;
    constexpr cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
    constexpr cudaError_t implicit = cudaErrorStreamCaptureImplicit;
    static int host[4];
    static void* found;
    MEANWHILE(unsupported, fine, return cudaMalloc(&found, 16));
    MEANWHILE(unsupported, fine, return cudaFree(given.x));
    MEANWHILE(unsupported, fine, return cudaFree(nullptr));
    MEANWHILE(unsupported, fine, return cudaMallocHost(&found, 16));
    MEANWHILE(unsupported, fine, return cudaMallocManaged(&found, 16));
    MEANWHILE(unsupported, fine, return cudaHostRegister(host, sizeof host, 0));
    MEANWHILE(unsupported, fine, return cudaStreamSynchronize(given.other));
    MEANWHILE(unsupported, fine, return cudaStreamQuery(given.other));
    MEANWHILE(unsupported, fine, return cudaEventSynchronize(given.event));
    MEANWHILE(unsupported, fine, return cudaEventQuery(given.event));
    MEANWHILE(unsupported, unsupported, return cudaDeviceSynchronize());
    MEANWHILE(unsupported, unsupported, return cudaStreamSynchronize(given.captured));
    MEANWHILE(unsupported, unsupported, return cudaStreamQuery(given.captured));
    MEANWHILE(unsupported, unsupported,
              return cudaStreamAddCallback(
                  given.captured, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
    MEANWHILE(implicit, implicit, return cudaMemcpy(given.x, host, 4, cudaMemcpyDefault));
    MEANWHILE(implicit, implicit, return cudaMemset(given.x, 0, 4));
    MEANWHILE(implicit, implicit,
              return cudaMemcpyAsync(given.x, host, 4, cudaMemcpyDefault, nullptr));
    MEANWHILE(implicit, implicit, return cudaMemcpyToSymbol(symbol, host, 4));
    MEANWHILE(implicit, implicit, return cudaStreamSynchronize(nullptr));
    MEANWHILE(implicit, implicit, return cudaStreamQuery(nullptr));
    MEANWHILE(implicit, implicit, return cudaEventRecord(given.event, nullptr));
    MEANWHILE(implicit, implicit, add<<<1, 1>>>(given.x, 1); return cudaPeekAtLastError());
    MEANWHILE(cudaErrorStreamCaptureIsolation, cudaErrorStreamCaptureIsolation,
              return cudaStreamWaitEvent(given.captured, given.event));
    MEANWHILE(cudaErrorCapturedEvent, cudaErrorCapturedEvent,
              cudaEventRecord(given.event, given.captured);
              return cudaEventQuery(given.event));
    MEANWHILE(cudaErrorInvalidValue, cudaErrorInvalidValue,
              add<<<1, 2048, 0, given.captured>>>(given.x, 1);
              return cudaPeekAtLastError());
    MEANWHILE(fine, fine, return cudaMallocAsync(&found, 16, given.captured));
    MEANWHILE(fine, fine, return cudaMemcpyAsync(given.x, host, 4, cudaMemcpyDefault, given.other));
    MEANWHILE(fine, fine, add<<<1, 1, 0, given.other>>>(given.x, 1); return cudaPeekAtLastError());
    MEANWHILE(fine, fine, cudaStream_t made; return cudaStreamCreate(&made));
    MEANWHILE(fine, fine, cudaEvent_t made; return cudaEventCreate(&made));
    MEANWHILE(fine, fine, return cudaLaunchHostFunc(given.captured, [](void*) {}, nullptr));
    meanwhile(
        __LINE__,
        [](const Meanwhile& given) {
            return cudaStreamBeginCapture(given.captured, cudaStreamCaptureModeGlobal);
        },
        cudaErrorIllegalState, cudaErrorIllegalState, false);
    meanwhile(
        __LINE__,
        [](const Meanwhile& given) {
            float milliseconds = 0;
            cudaEventRecord(given.event, given.captured);
            return cudaEventElapsedTime(&milliseconds, given.event, given.event);
        },
        cudaErrorCapturedEvent, cudaErrorCapturedEvent, false);
}

// Memory that a graph allocates and frees is there again whenever it runs.
static void memory_of_a_graph(int* x) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    int* own = nullptr;
    cudaMemset(x, 0, sizeof(int));
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMallocAsync(&own, sizeof(int), stream);
    cudaMemsetAsync(own, 0, sizeof(int), stream);
    add<<<1, 1, 0, stream>>>(own, 5);
    cudaMemcpyAsync(x, own, sizeof(int), cudaMemcpyDefault, stream);
    cudaFreeAsync(own, stream);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
    for (int run = 0; run < 3; ++run) cudaGraphLaunch(instance, stream);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    int found = 0;
    cudaMemcpy(&found, x, sizeof found, cudaMemcpyDefault);
    EXPECT(found == 5);
}

// A copy from pageable memory reads it at each launch of the graph.
static void source_of_a_copy(int* x) {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    std::vector<int> source(1, 5);
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(x, source.data(), sizeof(int), cudaMemcpyHostToDevice, stream);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
    for (const int value : {7, 9}) {
        source[0] = value;
        cudaGraphLaunch(instance, stream);
        cudaStreamSynchronize(stream);
        int found = 0;
        cudaMemcpy(&found, x, sizeof found, cudaMemcpyDefault);
        EXPECT(found == value);
    }
}

int main() {
    int* x = nullptr;
    cudaMalloc(&x, sizeof(int));
    graphs(x);
    calls_during_a_capture();
    memory_of_a_graph(x);
    source_of_a_copy(x);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
