// Threads of the host and host functions that wait for one another; counts what does not hold.

#include <cuda_runtime.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "expect.hpp"

__global__ void add(int* sum, int value) { atomicAdd(sum, value); }
__global__ void wait_for(volatile int* flag, int* seen) {
    while (*flag == 0);
    *seen = *flag;
}

struct latch {
    std::mutex mutex;
    std::condition_variable opened;
    bool open = false;

    void wait() {
        std::unique_lock<std::mutex> guard(mutex);
        opened.wait(guard, [this] { return open; });
    }
    void release() {
        const std::lock_guard<std::mutex> guard(mutex);
        open = true;
        opened.notify_all();
    }
};
void CUDART_CB wait_at(void* gate) { static_cast<latch*>(gate)->wait(); }
void CUDART_CB release(void* gate) { static_cast<latch*>(gate)->release(); }

// A thread opens the gate after calls of its own; a host function waits there, and the host for it.
void host_function_waits_for_a_thread(int* sum) {
    latch gate;
    cudaStream_t a = nullptr, b = nullptr;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaMemset(sum, 0, sizeof(int));
    EXPECT(cudaLaunchHostFunc(a, wait_at, &gate) == cudaSuccess);
    add<<<1, 32, 0, a>>>(sum, 1);
    std::thread other([&] {
        int found = -1;
        add<<<1, 32, 0, b>>>(sum, 100);
        EXPECT(cudaStreamSynchronize(b) == cudaSuccess);
        EXPECT(cudaStreamQuery(a) == cudaErrorNotReady);
        EXPECT(cudaMemcpyAsync(&found, sum, sizeof found, cudaMemcpyDeviceToHost, b) ==
               cudaSuccess);
        EXPECT(cudaStreamSynchronize(b) == cudaSuccess && found == 3200);
        gate.release();
    });
    EXPECT(cudaStreamSynchronize(a) == cudaSuccess);
    other.join();
    int found = -1;
    EXPECT(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(found == 3232);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// Of two streams, the one that nobody waits for may come first: the other's work goes on.
void host_function_waits_for_the_host(int* sum) {
    latch gate;
    cudaStream_t a = nullptr, b = nullptr;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    EXPECT(cudaLaunchHostFunc(a, wait_at, &gate) == cudaSuccess);
    add<<<1, 32, 0, b>>>(sum, 1);
    EXPECT(cudaStreamSynchronize(b) == cudaSuccess);
    EXPECT(cudaStreamQuery(a) == cudaErrorNotReady);
    gate.release();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// A graph's host node waits for a kernel that another thread launches.
void graph_waits_for_a_thread(int* sum) {
    latch gate;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    cudaGraphNode_t node = nullptr;
    EXPECT(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaHostNodeParams host{wait_at, &gate};
    EXPECT(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&instance, graph, 0) == cudaSuccess);
    cudaStream_t a = nullptr, b = nullptr;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    EXPECT(cudaGraphLaunch(instance, a) == cudaSuccess);
    std::thread other([&] {
        add<<<1, 32, 0, b>>>(sum, 1);
        EXPECT(cudaLaunchHostFunc(b, release, &gate) == cudaSuccess);
    });
    other.join();
    // Both run on one thread; the one of the graph may have begun. So it must not wait for the
    // other:
    gate.release();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// A kernel waits for a flag, one thread waits for the kernel, and the other has calls to make
// first.
void kernel_waits_for_a_thread() {
    int *flag = nullptr, *seen = nullptr, *device = nullptr;
    cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
    cudaHostAlloc(&seen, sizeof(int), cudaHostAllocMapped);
    *flag = *seen = 0;
    cudaStream_t a = nullptr, b = nullptr;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    wait_for<<<1, 1, 0, a>>>(flag, seen);
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (int i = 0; i < 50; ++i) {
            EXPECT(cudaMallocAsync(&device, 64, b) == cudaSuccess);
            EXPECT(cudaFreeAsync(device, b) == cudaSuccess);
            EXPECT(cudaStreamSynchronize(b) == cudaSuccess);
        }
        *static_cast<volatile int*>(flag) = 7;
    });
    EXPECT(cudaStreamSynchronize(a) == cudaSuccess);
    EXPECT(*seen == 7);
    other.join();
    cudaFreeHost(flag);
    cudaFreeHost(seen);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// A thread for each stream: copies in, adds, copies out.
void a_thread_for_each_stream() {
    constexpr int threads = 8, rounds = 20;
    std::vector<std::thread> workers;
    std::vector<int> sums(threads);
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            cudaStream_t stream = nullptr;
            int *sum = nullptr, *pinned = nullptr;
            EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
            EXPECT(cudaMalloc(&sum, sizeof(int)) == cudaSuccess);
            EXPECT(cudaMallocHost(&pinned, sizeof(int)) == cudaSuccess);
            for (int round = 0; round < rounds; ++round) {
                *pinned = sums[t];
                cudaMemcpyAsync(sum, pinned, sizeof(int), cudaMemcpyHostToDevice, stream);
                add<<<1, 32, 0, stream>>>(sum, t);
                cudaMemcpyAsync(pinned, sum, sizeof(int), cudaMemcpyDeviceToHost, stream);
                EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
                sums[t] = *pinned;
            }
            EXPECT(cudaGetLastError() == cudaSuccess);
            cudaFree(sum);
            cudaFreeHost(pinned);
            cudaStreamDestroy(stream);
        });
    for (std::thread& worker : workers) worker.join();
    for (int t = 0; t < threads; ++t) EXPECT(sums[t] == 32 * t * rounds);
}

// Each thread's own default stream goes on while those of the others wait.
void default_streams_of_threads(int* sum) {
    latch gate, arrived;
    cudaMemset(sum, 0, sizeof(int));
    cudaDeviceSynchronize();
    std::thread first([&] {
        EXPECT(cudaLaunchHostFunc(cudaStreamPerThread, wait_at, &gate) == cudaSuccess);
        add<<<1, 32, 0, cudaStreamPerThread>>>(sum, 1);
        arrived.release();
        EXPECT(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
    });
    arrived.wait();
    std::thread second([&] {
        add<<<1, 32, 0, cudaStreamPerThread>>>(sum, 100);
        EXPECT(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
        int found = -1;
        EXPECT(cudaMemcpyAsync(&found, sum, sizeof found, cudaMemcpyDeviceToHost,
                               cudaStreamPerThread) == cudaSuccess);
        EXPECT(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
        EXPECT(found == 3200);
    });
    second.join();
    gate.release();
    first.join();
    int found = -1;
    EXPECT(cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(found == 3232);
}

// A host function runs on a thread of its own, whose calls are refused; the host's error stays.
void CUDART_CB call(void* found) { *static_cast<cudaError_t*>(found) = cudaDeviceSynchronize(); }
void calls_of_a_host_function() {
    cudaError_t found = cudaSuccess;
    EXPECT(cudaLaunchHostFunc(nullptr, call, &found) == cudaSuccess);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(found == cudaErrorNotPermitted);
    EXPECT(cudaGetLastError() == cudaSuccess);
}

// A kernel waits for a flag that nobody sets, though another thread might.
int wait_in_vain() {
    int *flag = nullptr, *seen = nullptr;
    cudaMallocHost(&flag, sizeof(int));
    cudaMallocHost(&seen, sizeof(int));
    *flag = 0;
    wait_for<<<1, 1>>>(flag, seen);
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}

// Two host functions that wait for each other may be run one after the other.
int wait_for_each_other() {
    latch first, second;
    latch* gates[] = {&first, &second};
    cudaStream_t streams[2];
    for (int i = 0; i < 2; ++i) {
        cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
        cudaLaunchHostFunc(
            streams[i],
            [](void* data) {
                latch** pair = static_cast<latch**>(data);
                pair[0]->release();
                pair[1]->wait();
            },
            new latch*[2]{gates[i], gates[1 - i]});
    }
    cudaDeviceSynchronize();
    return 0;
}

int main(int argc, char** argv) {
    if (argc > 1 && !strcmp(argv[1], "each-other")) return wait_for_each_other();
    if (argc > 1 && !strcmp(argv[1], "in-vain")) return wait_in_vain();
    int* sum = nullptr;
    cudaMalloc(&sum, sizeof(int));
    host_function_waits_for_a_thread(sum);
    host_function_waits_for_the_host(sum);
    graph_waits_for_a_thread(sum);
    kernel_waits_for_a_thread();
    a_thread_for_each_stream();
    default_streams_of_threads(sum);
    calls_of_a_host_function();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
