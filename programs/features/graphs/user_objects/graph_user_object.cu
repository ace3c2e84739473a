// Who frees memory that a graph uses, and when? A user object ties a destructor to a
// count of references. The graph owns a reference, and so does each copy of it and each
// executable graph, so the destructor runs when the last of them is gone and no launch
// uses the memory any more.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

// [resource]
/// What the host function of the graph reads.
struct resource {
    int value;  ///< what is added to the total
    int* total;  ///< where
    std::atomic<int>* destroyed;  ///< how often a destructor ran
};

/// The host node: uses the resource.
/// @param data  a resource
void CUDART_CB use(void* data) {
    const resource& used = *static_cast<resource*>(data);
    *used.total += used.value;
}

/// The destructor: frees the resource. It may call no CUDA function.
/// @param data  a resource
void CUDART_CB destroy(void* data) {
    auto* gone = static_cast<resource*>(data);
    std::atomic<int>& destroyed = *gone->destroyed;
    delete gone;
    ++destroyed;
}
// [/resource]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::stream_latch latch;
    std::atomic<int> destroyed{0};
    int total = 0;

    // [own]
    auto* shared = new resource{5, &total, &destroyed};
    cudaUserObject_t object = nullptr;
    lockstep::check(cudaUserObjectCreate(&object, shared, destroy, 1,
                                         cudaUserObjectNoDestructorSync));
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    latch.hold(stream);
    lockstep::check(cudaLaunchHostFunc(stream, use, shared));
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    lockstep::check(
        cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    // [/own]

    // [copies]
    bool right = true;
    const auto report = [&](const char* after) {
        lockstep::report(after, destroyed.load());
        right = right && destroyed == 0;
    };
    cudaGraph_t clone = nullptr;
    lockstep::check(cudaGraphClone(&clone, graph));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphDestroy(graph));
    report("graph destroyed");
    lockstep::check(cudaGraphDestroy(clone));
    report("clone destroyed");
    // [/copies]

    // [running]
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaGraphExecDestroy(executable));  // while its launch is held
    const bool running = latch.closed();
    report("executable destroyed");
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    // [/running]

    // [wait]
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (destroyed == 0 && std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();  // no CUDA call waits for a destructor
    // [/wait]
    lockstep::report("launch was still running", running);
    lockstep::report("after the launch ended", destroyed.load());
    lockstep::report("total", total);
    return right && destroyed == 1 && total == 5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
