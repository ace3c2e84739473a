// How many references hold an object, and which calls change the number? Two graphs and
// the program own one object here. Destroying a graph gives its references back;
// releasing gives the program's own back. The destructor runs at the last one, once.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The destructor: counts its calls.
/// @param count  an std::atomic<int>
void CUDART_CB count_call(void* count) { ++*static_cast<std::atomic<int>*>(count); }

int main() {
    lockstep::require_device();

    std::atomic<int> calls{0};
    // [references]
    cudaUserObject_t object = nullptr;
    lockstep::check(cudaUserObjectCreate(&object, &calls, count_call, 1,
                                         cudaUserObjectNoDestructorSync));  // 1
    cudaGraph_t parent = nullptr, child = nullptr;
    lockstep::check(cudaGraphCreate(&parent, 0));
    lockstep::check(cudaGraphCreate(&child, 0));
    lockstep::check(cudaGraphRetainUserObject(child, object, 1, 0));  // 2: not moved
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child));  // 3
    lockstep::check(cudaUserObjectRetain(object, 2));  // 5
    // [/references]

    // [give-back]
    bool early = false;
    const auto report = [&](const char* what) {
        lockstep::report(what, calls.load());
        early = early || calls != 0;
    };
    lockstep::check(cudaUserObjectRelease(object, 2));  // 3
    report("the program gave back two");
    lockstep::check(cudaGraphDestroy(child));  // 2
    report("the child is destroyed");
    lockstep::check(cudaUserObjectRelease(object));  // 1
    report("the program gave back all");
    lockstep::check(cudaGraphDestroy(parent));  // 0: with its copy of the child
    // [/give-back]
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (calls == 0 && std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();
    lockstep::report("the parent is destroyed", calls.load());
    return !early && calls == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
