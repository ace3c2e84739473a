// Graphs made node by node: what they do, how they change, and what is refused.

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "expect.hpp"

__global__ void add(int* x, int n) { *x += n; }
__global__ void twice(int* x) { *x *= 2; }
__global__ void note(int* log, int* count, int what) { log[atomicAdd(count, 1)] = what; }
__global__ void choose(cudaGraphConditionalHandle handle, const int* x) {
    cudaGraphSetConditional(handle, unsigned(*x));
}
__global__ void count_down(cudaGraphConditionalHandle handle, int* x) {
    *x -= 1;
    cudaGraphSetConditional(handle, *x > 0);
}
__device__ __noinline__ cudaError_t launch(cudaGraphExec_t graph) {
    return cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}
__global__ void launch_if(cudaGraphExec_t graph, int* x, int limit) {
    __shared__ int own[4];
    own[0] = *x;
    if (own[0] < limit) *x += launch(graph) == cudaSuccess ? 1 : 100;
}
__global__ void ask(int* x) { *x = cudaGetCurrentGraphExec() == nullptr; }

static int value_of(const int* d_x) {
    int found = -1;
    EXPECT(cudaMemcpy(&found, d_x, sizeof found, cudaMemcpyDefault) == cudaSuccess);
    return found;
}
static void set_value(int* d_x, int value) {
    EXPECT(cudaMemcpy(d_x, &value, sizeof value, cudaMemcpyDefault) == cudaSuccess);
}
static cudaGraphNode_t kernel_node(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                                   void (*kernel)(int*, int), int* x, int n) {
    void* arguments[] = {&x, &n};
    cudaKernelNodeParams wanted{};
    wanted.func = reinterpret_cast<void*>(kernel);
    wanted.gridDim = wanted.blockDim = dim3(1);
    wanted.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &wanted) ==
           cudaSuccess);
    return node;
}
static cudaGraphExec_t instance_of(cudaGraph_t graph) {
    cudaGraphExec_t made = nullptr;
    EXPECT(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
    return made;
}
static void run(cudaGraphExec_t instance) {
    EXPECT(cudaGraphLaunch(instance, nullptr) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}

static int host_calls;
static void nodes_of_each_kind(int* x) {
    cudaGraph_t graph = nullptr;
    EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
    static int host[2] = {5, 0};
    cudaGraphNode_t in, set, sum, empty, out, call, child_node;
    EXPECT(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, x, host, sizeof(int),
                                    cudaMemcpyHostToDevice) == cudaSuccess);
    cudaMemsetParams zero{};
    zero.dst = x + 1;
    zero.elementSize = 4;
    zero.width = 1;
    zero.height = 1;
    zero.value = 7;
    EXPECT(cudaGraphAddMemsetNode(&set, graph, &in, 1, &zero) == cudaSuccess);
    sum = kernel_node(graph, {in, set}, add, x, 10);
    EXPECT(cudaGraphAddEmptyNode(&empty, graph, &sum, 1) == cudaSuccess);
    cudaGraph_t child = nullptr;
    cudaGraphCreate(&child, 0);
    kernel_node(child, {}, add, x, 100);
    EXPECT(cudaGraphAddChildGraphNode(&child_node, graph, &empty, 1, child) == cudaSuccess);
    EXPECT(cudaGraphAddMemcpyNode1D(&out, graph, &child_node, 1, host + 1, x, sizeof(int),
                                    cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaHostNodeParams calls{[](void*) { ++host_calls; }, nullptr};
    EXPECT(cudaGraphAddHostNode(&call, graph, &out, 1, &calls) == cudaSuccess);
    size_t nodes = 0, edges = 0;
    EXPECT(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess && nodes == 7);
    EXPECT(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
    EXPECT(edges == 7);
    cudaGraphExec_t instance = instance_of(graph);
    for (int i = 1; i <= 3; ++i) {
        run(instance);
        EXPECT(host[1] == 115 && host_calls == i && value_of(x + 1) == 7);
    }
    // Nodes change and are switched off; the others stay.
    int n = 20;
    void* arguments[] = {&x, &n};
    cudaKernelNodeParams other{};
    other.func = reinterpret_cast<void*>(add);
    other.gridDim = other.blockDim = dim3(1);
    other.kernelParams = arguments;
    EXPECT(cudaGraphExecKernelNodeSetParams(instance, sum, &other) == cudaSuccess);
    EXPECT(cudaGraphNodeSetEnabled(instance, set, 0) == cudaSuccess);
    set_value(x + 1, 1);
    run(instance);
    EXPECT(host[1] == 125 && value_of(x + 1) == 1);
    EXPECT(cudaGraphNodeSetEnabled(instance, call, 0) == cudaErrorInvalidValue);
    unsigned enabled = 1;
    EXPECT(cudaGraphNodeGetEnabled(instance, set, &enabled) == cudaSuccess && enabled == 0);
    EXPECT(cudaGraphExecMemcpyNodeSetParams1D(instance, in, x, x + 1, sizeof(int),
                                              cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    // An instance is changed as a whole by a graph of the same shape.
    cudaGraph_t clone = nullptr;
    EXPECT(cudaGraphClone(&clone, graph) == cudaSuccess);
    cudaGraphExecUpdateResultInfo info{};
    EXPECT(cudaGraphExecUpdate(instance, clone, &info) == cudaSuccess);
    run(instance);
    EXPECT(host[1] == 115);
    cudaGraphNode_t found = nullptr, more = nullptr;
    EXPECT(cudaGraphNodeFindInClone(&found, sum, clone) == cudaSuccess && found != sum);
    EXPECT(cudaGraphAddEmptyNode(&more, clone, &found, 1) == cudaSuccess);
    EXPECT(cudaGraphExecUpdate(instance, clone, &info) == cudaErrorGraphExecUpdateFailure);
    EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    EXPECT(cudaGraphDestroyNode(more) == cudaSuccess);
    EXPECT(cudaGraphAddDependencies(clone, &found, &found, nullptr, 1) == cudaErrorInvalidValue);
    EXPECT(cudaGraphDestroy(clone) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
    run(instance);
    EXPECT(cudaGraphExecDestroy(instance) == cudaSuccess);
    cudaGetLastError();
}

// What nothing orders may come in any order; what edges order comes in theirs.
static void order_of_nodes(int* log) {
    int* count = log + 63;
    cudaMemset(log, 0, 64 * sizeof(int));
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t nodes[5];
    for (int i = 0; i < 5; ++i) {
        void* arguments[] = {&log, &count, &i};
        cudaGraphNodeParams wanted{};
        wanted.type = cudaGraphNodeTypeKernel;
        wanted.kernel.func = reinterpret_cast<void*>(note);
        wanted.kernel.gridDim = wanted.kernel.blockDim = dim3(1);
        wanted.kernel.kernelParams = arguments;
        EXPECT(cudaGraphAddNode(&nodes[i], graph, nullptr, nullptr, 0, &wanted) == cudaSuccess);
    }
    // 4 comes first, 0 last.
    const cudaGraphNode_t from[] = {nodes[4], nodes[4], nodes[4], nodes[1], nodes[2], nodes[3]};
    const cudaGraphNode_t to[] = {nodes[1], nodes[2], nodes[3], nodes[0], nodes[0], nodes[0]};
    EXPECT(cudaGraphAddDependencies(graph, from, to, nullptr, 6) == cudaSuccess);
    size_t roots = 0;
    EXPECT(cudaGraphGetRootNodes(graph, nullptr, &roots) == cudaSuccess && roots == 1);
    cudaGraphExec_t instance = instance_of(graph);
    for (int i = 0; i < 4; ++i) EXPECT(cudaGraphLaunch(instance, nullptr) == cudaSuccess);
    int host[64];
    cudaMemcpy(host, log, sizeof host, cudaMemcpyDefault);
    for (int i = 0; i < 4; ++i) EXPECT(host[5 * i] == 4 && host[5 * i + 4] == 0);
    const cudaGraphNode_t back[] = {nodes[0]}, forth[] = {nodes[4]};
    EXPECT(cudaGraphAddDependencies(graph, back, forth, nullptr, 1) == cudaSuccess);
    cudaGraphExec_t none = nullptr;
    EXPECT(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue);  // a cycle
    cudaGetLastError();
}

static cudaGraph_t conditional(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                               cudaGraphConditionalNodeType type, unsigned size,
                               cudaGraphNode_t after, cudaGraph_t* bodies) {
    cudaGraphNodeParams wanted{};
    wanted.type = cudaGraphNodeTypeConditional;
    wanted.conditional.handle = handle;
    wanted.conditional.type = type;
    wanted.conditional.size = size;
    cudaGraphNode_t node = nullptr;
    EXPECT(cudaGraphAddNode(&node, graph, &after, nullptr, after ? 1 : 0, &wanted) == cudaSuccess);
    for (unsigned i = 0; i < size; ++i) bodies[i] = wanted.conditional.phGraph_out[i];
    return bodies[0];
}
static void conditions(int* x) {
    cudaStream_t stream = nullptr;
    cudaStreamCreate(&stream);
    const auto chooses = [&](cudaGraph_t graph, cudaGraphConditionalHandle handle) {
        cudaGraphNode_t last = nullptr;
        size_t count = 1;
        EXPECT(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeGlobal) == cudaSuccess);
        choose<<<1, 1, 0, stream>>>(handle, x);
        EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
        cudaGraphGetNodes(graph, &last, &count);
        return last;
    };
    for (const bool both : {false, true}) {
        cudaGraph_t graph = nullptr, bodies[2];
        cudaGraphCreate(&graph, 0);
        cudaGraphConditionalHandle handle{};
        cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
        conditional(graph, handle, cudaGraphCondTypeIf, both ? 2 : 1, chooses(graph, handle),
                    bodies);
        kernel_node(bodies[0], {}, add, x + 1, 10);
        if (both) kernel_node(bodies[1], {}, add, x + 1, 100);
        cudaGraphExec_t instance = instance_of(graph);
        set_value(x + 1, 0);
        for (const int value : {0, 1, 0}) {
            set_value(x, value);
            run(instance);
        }
        EXPECT(value_of(x + 1) == (both ? 210 : 10));
    }
    {
        cudaGraph_t graph = nullptr, bodies[3];
        cudaGraphCreate(&graph, 0);
        cudaGraphConditionalHandle handle{};
        cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
        conditional(graph, handle, cudaGraphCondTypeSwitch, 3, chooses(graph, handle), bodies);
        for (int i = 0; i < 3; ++i) kernel_node(bodies[i], {}, add, x + 1, i == 0 ? 1 : 10 * i);
        cudaGraphExec_t instance = instance_of(graph);
        set_value(x + 1, 0);
        for (const int value : {2, 0, 7, 1}) {
            set_value(x, value);
            run(instance);
        }
        EXPECT(value_of(x + 1) == 31);
    }
    {  // a loop in a loop, and what comes after both
        cudaGraph_t graph = nullptr, body = nullptr, inner = nullptr;
        cudaGraphCreate(&graph, 0);
        cudaGraphConditionalHandle outer_handle{}, handle{};
        cudaGraphConditionalHandleCreate(&outer_handle, graph, 1, cudaGraphCondAssignDefault);
        conditional(graph, outer_handle, cudaGraphCondTypeWhile, 1, nullptr, &body);
        cudaGraphNode_t loop = nullptr;
        size_t one = 1;
        cudaGraphGetNodes(graph, &loop, &one);
        kernel_node(graph, {loop}, add, x + 1, 1000);
        EXPECT(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                             cudaStreamCaptureModeGlobal) == cudaSuccess);
        add<<<1, 1, 0, stream>>>(x + 1, 1);
        count_down<<<1, 1, 0, stream>>>(outer_handle, x);
        EXPECT(cudaStreamEndCapture(stream, &body) == cudaSuccess);
        cudaGraphConditionalHandleCreate(&handle, body, 0, cudaGraphCondAssignDefault);
        conditional(body, handle, cudaGraphCondTypeIf, 1, nullptr, &inner);
        kernel_node(inner, {}, add, x + 1, 5000);
        cudaGraphExec_t instance = instance_of(graph);
        for (int i = 0; i < 2; ++i) {
            set_value(x, 10);
            set_value(x + 1, 0);
            run(instance);
            EXPECT(value_of(x + 1) == 1010);
        }
        cudaGraphExec_t second = nullptr;
        EXPECT(cudaGraphInstantiate(&second, graph, 0) == cudaErrorNotSupported);
    }
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle{};
    cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
    cudaGraphExec_t none = nullptr;
    EXPECT(cudaGraphInstantiate(&none, graph, 0) == cudaErrorInvalidValue);  // nothing uses it
    cudaGetLastError();
}

// Memory of a graph: refused again while it lives, and freed in several ways.
static void memory(int* x) {
    cudaGraph_t graph = nullptr;
    cudaGraphCreate(&graph, 0);
    cudaMemAllocNodeParams wanted{};
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
    wanted.bytesize = 1 << 20;
    cudaGraphNode_t allocation = nullptr, fills = nullptr, freed = nullptr, again = nullptr;
    EXPECT(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &wanted) == cudaSuccess);
    int* const first = static_cast<int*>(wanted.dptr);
    cudaMemsetParams fill{first, 0, 3, 4, 16, 1};
    EXPECT(cudaGraphAddMemsetNode(&fills, graph, &allocation, 1, &fill) == cudaSuccess);
    cudaGraphExec_t keeps = instance_of(graph);
    EXPECT(cudaGraphLaunch(keeps, nullptr) == cudaSuccess);
    EXPECT(cudaGraphLaunch(keeps, nullptr) == cudaErrorInvalidValue);
    EXPECT(value_of(first + 15) == 3);
    uint64_t used = 0;
    EXPECT(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used) ==
               cudaSuccess &&
           used == 1 << 20);
    EXPECT(cudaFreeAsync(first, nullptr) == cudaSuccess);
    EXPECT(cudaFreeAsync(first, nullptr) == cudaErrorInvalidValue);
    EXPECT(cudaGraphLaunch(keeps, nullptr) == cudaSuccess);
    EXPECT(cudaFree(first) == cudaSuccess);
    cudaGraphExecDestroy(keeps);
    EXPECT(cudaGraphInstantiate(&keeps, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch) ==
           cudaSuccess);
    for (int i = 0; i < 3; ++i) run(keeps);
    EXPECT(cudaFree(first) == cudaSuccess);
    cudaGraphExecDestroy(keeps);
    EXPECT(cudaGraphAddMemFreeNode(&freed, graph, &fills, 1, first) == cudaSuccess);
    EXPECT(cudaGraphAddMemFreeNode(&again, graph, &freed, 1, first) == cudaErrorInvalidValue);
    EXPECT(cudaGraphAddMemFreeNode(&again, graph, &freed, 1, x) == cudaErrorInvalidValue);
    EXPECT(cudaGraphAddMemAllocNode(&again, graph, &freed, 1, &wanted) == cudaSuccess);
    EXPECT(wanted.dptr == first);  // where nothing is any more
    EXPECT(cudaGraphDestroyNode(again) == cudaErrorNotSupported);
    cudaGetLastError();
}

// A kernel that can reach a launch of a graph runs in graphs only, whether it comes to the launch.
static void launches_by_kernels(int* x) {
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaGraph_t graph = nullptr, launcher = nullptr;
    cudaGraphExec_t launched = nullptr;
    cudaGraphCreate(&graph, 0);
    kernel_node(graph, {}, add, x + 1, 10);
    EXPECT(cudaGraphInstantiate(&launched, graph, cudaGraphInstantiateFlagDeviceLaunch) ==
           cudaSuccess);
    EXPECT(cudaGraphUpload(launched, stream) == cudaSuccess);
    set_value(x, 5);
    set_value(x + 1, 0);
    for (const int limit : {0, 9}) {
        launch_if<<<1, 1, 0, stream>>>(launched, x, limit);
        EXPECT(cudaGetLastError() == cudaErrorNotSupported);
    }
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    EXPECT(cudaLaunchKernelEx(&config, launch_if, launched, x, 9) == cudaErrorNotSupported);
    cudaGetLastError();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);  // the error does not stick
    EXPECT(value_of(x) == 5 && value_of(x + 1) == 0);
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    launch_if<<<1, 1, 0, stream>>>(launched, x, 9);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaStreamEndCapture(stream, &launcher) == cudaSuccess);
    run(instance_of(launcher));
    EXPECT(value_of(x) == 6 && value_of(x + 1) == 10);
    ask<<<1, 1, 0, stream>>>(x);
    EXPECT(cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(value_of(x) == 1);
}

static void events_and_objects(int* x) {
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaStream_t one = nullptr, two = nullptr;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaGraph_t graph = nullptr;
    set_value(x, 1);
    EXPECT(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal) == cudaSuccess);
    add<<<1, 1, 0, one>>>(x, 4);
    EXPECT(cudaEventRecordWithFlags(event, one, cudaEventRecordExternal) == cudaSuccess);
    const cudaGraphNode_t* tail = nullptr;
    size_t count = 0;
    cudaStreamCaptureStatus status{};
    unsigned long long id = 0;
    cudaGraph_t under_way = nullptr;
    EXPECT(cudaStreamGetCaptureInfo(one, &status, &id, &under_way, &tail, nullptr, &count) ==
           cudaSuccess);
    EXPECT(status == cudaStreamCaptureStatusActive && count == 1 && id != 0);
    cudaGraphNodeType type{};
    EXPECT(cudaGraphNodeGetType(tail[0], &type) == cudaSuccess);
    EXPECT(type == cudaGraphNodeTypeEventRecord);
    EXPECT(cudaStreamEndCapture(one, &graph) == cudaSuccess && graph == under_way);
    static int destroyed;
    cudaUserObject_t object = nullptr;
    EXPECT(cudaUserObjectCreate(
               &object, &destroyed, [](void* data) { ++*static_cast<int*>(data); }, 1,
               cudaUserObjectNoDestructorSync) == cudaSuccess);
    EXPECT(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
    cudaGraphExec_t instance = instance_of(graph);
    EXPECT(cudaGraphLaunch(instance, one) == cudaSuccess);
    EXPECT(cudaStreamWaitEvent(two, event) == cudaSuccess);
    twice<<<1, 1, 0, two>>>(x);
    EXPECT(cudaGraphDestroy(graph) == cudaSuccess && destroyed == 0);
    EXPECT(cudaGraphExecDestroy(instance) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && destroyed == 1);
    EXPECT(value_of(x) == 10);
}

int main() {
    int* x = nullptr;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    nodes_of_each_kind(x);
    order_of_nodes(x);
    conditions(x);
    memory(x);
    launches_by_kernels(x);
    events_and_objects(x);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
