// What happens to the references of a child graph that is replaced by an update? They
// belong to the child: the executable graph gives back those of the old child and takes
// those of the new one, so the old child's object is destroyed although the executable
// graph lives on.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What a host node reads and what its destructor counts.
struct resource {
    int value;
    int* total;  ///< increased by each launch
    std::atomic<int> destroyed{0};  ///< how often the destructor ran
};

/// The host node.
/// @param data  a resource
void CUDART_CB add_value(void* data) {
    const resource& used = *static_cast<resource*>(data);
    *used.total += used.value;
}

/// The destructor.
/// @param data  a resource
void CUDART_CB count_call(void* data) { ++static_cast<resource*>(data)->destroyed; }

/// Waits for a destructor, but for no longer than two seconds.
/// @param gone  the resource
bool wait_for(const resource& gone) {
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (gone.destroyed == 0 && std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();
    return gone.destroyed == 1;
}

// [child]
/// Makes a graph of one host node that owns its resource.
/// @param owned  the resource
cudaGraph_t make_child(resource* owned) {
    cudaGraph_t child = nullptr;
    lockstep::check(cudaGraphCreate(&child, 0));
    cudaHostNodeParams params{add_value, owned};
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddHostNode(&node, child, nullptr, 0, &params));
    cudaUserObject_t object = nullptr;
    lockstep::check(cudaUserObjectCreate(&object, owned, count_call, 1,
                                         cudaUserObjectNoDestructorSync));
    lockstep::check(
        cudaGraphRetainUserObject(child, object, 1, cudaGraphUserObjectMove));
    return child;
}
// [/child]

int main() {
    lockstep::require_device();

    int total = 0;
    resource old_one{1, &total}, new_one{10, &total};
    const lockstep::owned_stream stream;
    const cudaGraph_t first = make_child(&old_one), second = make_child(&new_one);
    cudaGraph_t parent = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphCreate(&parent, 0));
    lockstep::check(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, first));
    lockstep::check(cudaGraphInstantiate(&executable, parent, 0));
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));

    // [replace]
    lockstep::check(cudaGraphExecChildGraphNodeSetParams(executable, node, second));
    lockstep::check(cudaGraphDestroy(parent));
    lockstep::check(cudaGraphDestroy(first));
    lockstep::check(cudaGraphDestroy(second));  // the executable graph has its own
    // [/replace]
    const bool old_is_gone = wait_for(old_one);
    const bool new_too_early = new_one.destroyed > 0;
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(executable));
    const bool new_is_gone = wait_for(new_one);

    std::printf("destroyed\n");
    lockstep::report("  old one, by the update", old_is_gone);
    lockstep::report("  new one, by the update", new_too_early);
    lockstep::report("  new one, with its graph", new_is_gone);
    lockstep::report("total of two launches", total);
    return old_is_gone && !new_too_early && new_is_gone && total == 11 ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
