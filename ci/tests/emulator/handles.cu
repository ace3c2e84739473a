// What the runtime API answers to handles that are none: null, stale (destroyed before), foreign
// (of another kind, or no handle at all). As an H200 with driver 580 answered, except where it
// crashes or reads what stands at the address: a stale stream or event, and a foreign event. There
// the answer is what the documentation names.

#include <cuda_runtime.h>

#include <cstdio>

#include "expect.hpp"

__global__ void add(int* x, int n) { *x += n; }

static int* x;

static cudaStream_t make_stream() {
    cudaStream_t made = nullptr;
    EXPECT(cudaStreamCreate(&made) == cudaSuccess);
    return made;
}
static cudaEvent_t make_event() {
    cudaEvent_t made = nullptr;
    EXPECT(cudaEventCreate(&made) == cudaSuccess);
    EXPECT(cudaEventRecord(made) == cudaSuccess);
    return made;
}
static cudaGraph_t make_graph() {
    cudaStream_t stream = make_stream();
    cudaGraph_t made = nullptr;
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    add<<<1, 1, 0, stream>>>(x, 1);
    EXPECT(cudaStreamEndCapture(stream, &made) == cudaSuccess);
    EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
    return made;
}
static cudaGraphExec_t make_instance() {
    cudaGraph_t graph = make_graph();
    cudaGraphExec_t made = nullptr;
    EXPECT(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
    return made;
}
static cudaMemPoolProps properties_of_pool(int type, int location, int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationType(type);
    properties.location.type = cudaMemLocationType(location);
    properties.location.id = device;
    return properties;
}
static cudaMemPool_t make_pool() {
    const cudaMemPoolProps properties =
        properties_of_pool(cudaMemAllocationTypePinned, cudaMemLocationTypeDevice, 0);
    cudaMemPool_t made = nullptr;
    EXPECT(cudaMemPoolCreate(&made, &properties) == cudaSuccess);
    return made;
}

// Calls with a handle that is none, each of which must answer as told and leave that as the last
// error.
template <class handle_type, class call_type>
void answers(int line, handle_type handle, const char* which, cudaError_t expected,
             call_type call) {
    const cudaError_t found = call(handle);
    const cudaError_t last = cudaGetLastError();
    if (found == expected && last == expected) return;
    std::printf("line %d: %s: %s, then %s\n", line, which, cudaGetErrorName(found),
                cudaGetErrorName(last));
    ++failures;
}
template <class handle_type>
struct wrong_handles {
    handle_type stale, foreign;
};
#define WRONG(handles, error, ...)                                                                \
    do {                                                                                          \
        using handle_type = decltype((handles).stale);                                            \
        const auto call = [&](handle_type handle) -> cudaError_t { return __VA_ARGS__; };         \
        int local = 0;                                                                            \
        answers(__LINE__, (handles).stale, "stale", error, call);                                 \
        answers(__LINE__, (handles).foreign, "of another kind", error, call);                     \
        answers(__LINE__, reinterpret_cast<handle_type>(&local), "an address of the host", error, \
                call);                                                                            \
        answers(__LINE__, reinterpret_cast<handle_type>(x), "an address of the device", error,    \
                call);                                                                            \
    } while (0)
#define WRONG_OR_NULL(handles, error, ...)                                       \
    do {                                                                         \
        WRONG(handles, error, __VA_ARGS__);                                      \
        using handle_type = decltype((handles).stale);                           \
        answers(__LINE__, handle_type(nullptr), "null", error,                   \
                [&](handle_type handle) -> cudaError_t { return __VA_ARGS__; }); \
    } while (0)

static void streams() {
    constexpr cudaError_t invalid = cudaErrorInvalidResourceHandle;
    const wrong_handles<cudaStream_t> wrong{make_stream(),
                                            reinterpret_cast<cudaStream_t>(make_event())};
    EXPECT(cudaStreamDestroy(wrong.stale) == cudaSuccess);
    cudaStream_t next = make_stream();  // which must not make the stale one good again
    EXPECT(next != wrong.stale);
    cudaEvent_t event = make_event();
    cudaGraphExec_t instance = make_instance();
    cudaMemPool_t pool = make_pool();
    cudaGraph_t graph = nullptr;
    int priority = 0;
    unsigned flags = 0;
    void* p = nullptr;
    WRONG_OR_NULL(wrong, invalid, cudaStreamDestroy(handle));
    WRONG(wrong, invalid, cudaStreamSynchronize(handle));
    WRONG(wrong, invalid, cudaStreamQuery(handle));
    WRONG(wrong, invalid, cudaStreamGetPriority(handle, &priority));
    WRONG(wrong, invalid, cudaStreamGetFlags(handle, &flags));
    WRONG(wrong, invalid, cudaStreamWaitEvent(handle, event, 0));
    WRONG(wrong, invalid, cudaEventRecord(event, handle));
    WRONG(wrong, invalid, cudaLaunchHostFunc(handle, [](void*) {}, nullptr));
    WRONG(wrong, invalid,
          cudaStreamAddCallback(handle, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
    WRONG(wrong, invalid, cudaMemcpyAsync(x, x + 1, 4, cudaMemcpyDefault, handle));
    WRONG(wrong, invalid, cudaMemcpy2DAsync(x, 4, x + 2, 4, 4, 2, cudaMemcpyDefault, handle));
    WRONG(wrong, invalid, cudaMemsetAsync(x, 0, 4, handle));
    WRONG(wrong, invalid, cudaMemset2DAsync(x, 4, 0, 4, 2, handle));
    WRONG(wrong, invalid, cudaMallocAsync(&p, 4, handle));
    WRONG(wrong, invalid, cudaMallocFromPoolAsync(&p, 4, pool, handle));
    WRONG(wrong, invalid, cudaFreeAsync(x, handle));
    WRONG(wrong, invalid, cudaGraphLaunch(instance, handle));
    WRONG(wrong, invalid, cudaStreamBeginCapture(handle, cudaStreamCaptureModeGlobal));
    WRONG(wrong, invalid, cudaStreamEndCapture(handle, &graph));
    WRONG(wrong, invalid, (add<<<1, 1, 0, handle>>>(x, 1), cudaPeekAtLastError()));
    for (cudaStream_t own : {cudaStreamLegacy, cudaStreamPerThread}) {
        EXPECT(cudaStreamDestroy(own) == invalid);
        EXPECT(cudaStreamSynchronize(own) == cudaSuccess);
    }
    EXPECT(cudaStreamSynchronize(nullptr) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(next) == cudaSuccess);
    cudaGetLastError();
}

static void events() {
    constexpr cudaError_t invalid = cudaErrorInvalidResourceHandle;
    const wrong_handles<cudaEvent_t> wrong{make_event(),
                                           reinterpret_cast<cudaEvent_t>(make_stream())};
    EXPECT(cudaEventDestroy(wrong.stale) == cudaSuccess);
    cudaEvent_t right = make_event();
    float milliseconds = 0;
    EXPECT(right != wrong.stale);
    EXPECT(cudaEventSynchronize(right) == cudaSuccess);
    WRONG_OR_NULL(wrong, invalid, cudaEventDestroy(handle));
    WRONG_OR_NULL(wrong, invalid, cudaEventRecord(handle));
    WRONG_OR_NULL(wrong, invalid, cudaEventSynchronize(handle));
    WRONG_OR_NULL(wrong, invalid, cudaEventQuery(handle));
    WRONG_OR_NULL(wrong, invalid, cudaEventElapsedTime(&milliseconds, handle, right));
    WRONG_OR_NULL(wrong, invalid, cudaEventElapsedTime(&milliseconds, right, handle));
    WRONG_OR_NULL(wrong, invalid, cudaStreamWaitEvent(nullptr, handle, 0));
    EXPECT(cudaEventQuery(right) == cudaSuccess);

    // Work that is to note its time outlives the event.
    cudaEvent_t destroyed_before_its_time = nullptr;
    EXPECT(cudaEventCreate(&destroyed_before_its_time) == cudaSuccess);
    add<<<1, 1>>>(x, 1);
    EXPECT(cudaEventRecord(destroyed_before_its_time) == cudaSuccess);
    EXPECT(cudaEventDestroy(destroyed_before_its_time) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

static void graphs() {
    constexpr cudaError_t invalid = cudaErrorInvalidValue;
    const wrong_handles<cudaGraph_t> graph{make_graph(),
                                           reinterpret_cast<cudaGraph_t>(make_instance())};
    EXPECT(cudaGraphDestroy(graph.stale) == cudaSuccess);
    cudaGraphExec_t made = nullptr;
    WRONG_OR_NULL(graph, invalid, cudaGraphDestroy(handle));
    WRONG_OR_NULL(graph, invalid, cudaGraphInstantiate(&made, handle, 0));

    const wrong_handles<cudaGraphExec_t> instance{make_instance(),
                                                  reinterpret_cast<cudaGraphExec_t>(make_graph())};
    EXPECT(cudaGraphExecDestroy(instance.stale) == cudaSuccess);
    WRONG_OR_NULL(instance, invalid, cudaGraphLaunch(handle, nullptr));
    WRONG_OR_NULL(instance, invalid, cudaGraphExecDestroy(handle));

    // An instance outlives its graph, and a launch its instance.
    cudaMemset(x, 0, sizeof(int));
    cudaGraphExec_t right = make_instance();
    EXPECT(cudaGraphLaunch(right, nullptr) == cudaSuccess);
    EXPECT(cudaGraphExecDestroy(right) == cudaSuccess);
    int found = 0;
    EXPECT(cudaMemcpy(&found, x, sizeof found, cudaMemcpyDefault) == cudaSuccess);
    EXPECT(found == 1);
}

static void pools() {
    constexpr cudaError_t invalid = cudaErrorInvalidValue;
    const wrong_handles<cudaMemPool_t> wrong{make_pool(),
                                             reinterpret_cast<cudaMemPool_t>(make_graph())};
    EXPECT(cudaMemPoolDestroy(wrong.stale) == cudaSuccess);
    void* p = nullptr;
    WRONG_OR_NULL(wrong, invalid, cudaMemPoolDestroy(handle));
    WRONG_OR_NULL(wrong, invalid, cudaMallocFromPoolAsync(&p, 4, handle, nullptr));
    WRONG_OR_NULL(wrong, invalid, cudaMallocFromPoolAsync(&p, 0, handle, nullptr));
    EXPECT(cudaMallocFromPoolAsync(static_cast<void**>(nullptr), 4, make_pool(), nullptr) ==
           invalid);

    // Memory outlives its pool.
    cudaMemPool_t pool = make_pool();
    EXPECT(cudaMallocFromPoolAsync(&p, 4, pool, nullptr) == cudaSuccess);
    EXPECT(cudaMemPoolDestroy(pool) == cudaSuccess);
    EXPECT(cudaMemset(p, 0, 4) == cudaSuccess);
    EXPECT(cudaFreeAsync(p, nullptr) == cudaSuccess);

    const auto creates = [&](int type, int location, int device) {
        const cudaMemPoolProps properties = properties_of_pool(type, location, device);
        return cudaMemPoolCreate(&pool, &properties);
    };
    const cudaMemPoolProps good =
        properties_of_pool(cudaMemAllocationTypePinned, cudaMemLocationTypeDevice, 0);
    EXPECT(creates(cudaMemAllocationTypeInvalid, cudaMemLocationTypeInvalid, 0) == invalid);
    EXPECT(creates(cudaMemAllocationTypePinned, cudaMemLocationTypeInvalid, 0) == invalid);
    EXPECT(creates(cudaMemAllocationTypePinned, cudaMemLocationTypeDevice, 7) == invalid);
    EXPECT(creates(9, cudaMemLocationTypeDevice, 0) == invalid);
    EXPECT(creates(cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice, 0) == cudaSuccess);
    EXPECT(creates(cudaMemAllocationTypeManaged, cudaMemLocationTypeInvalid, 0) == cudaSuccess);
    EXPECT(creates(cudaMemAllocationTypePinned, cudaMemLocationTypeHost, 0) == cudaSuccess);
    EXPECT(cudaMemPoolCreate(nullptr, &good) == invalid);
    EXPECT(cudaMemPoolCreate(&pool, nullptr) == invalid);
    cudaGetLastError();
}

static void launches() {
    const void* kernel = reinterpret_cast<const void*>(add);
    EXPECT(cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, nullptr) ==
           cudaErrorInvalidValue);
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = configuration.blockDim = dim3(1);
    configuration.numAttrs = 1;  // of which there are none
    int n = 1;
    void* arguments[] = {&x, &n};
    EXPECT(cudaLaunchKernelExC(&configuration, kernel, arguments) == cudaErrorInvalidValue);
    cudaGetLastError();
}

// Of a context that is gone, graphs and pools can still be destroyed.
static void after_a_reset() {
    cudaStream_t stream = make_stream();
    cudaEvent_t event = make_event();
    cudaGraph_t graph = make_graph();
    cudaGraphExec_t instance = make_instance();
    cudaMemPool_t pool = make_pool();
    void* p = nullptr;
    EXPECT(cudaDeviceReset() == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventSynchronize(event) == cudaErrorContextIsDestroyed);
    EXPECT(cudaGraphLaunch(instance, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaMallocFromPoolAsync(&p, 4, pool, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
    EXPECT(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
    EXPECT(cudaMemPoolDestroy(pool) == cudaSuccess);
    cudaGetLastError();
    EXPECT(cudaStreamSynchronize(make_stream()) == cudaSuccess);
    EXPECT(cudaEventSynchronize(make_event()) == cudaSuccess);
}

int main() {
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    streams();
    events();
    graphs();
    pools();
    launches();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    after_a_reset();
    std::printf("%d failures\n", failures);
    return failures != 0;
}
