// A library enqueues work that uses a resource of its own. Called in an ordinary
// stream, it deletes the resource by a host function after the work. If the stream is
// being captured, the work runs again at each launch: then the library asks for the
// graph that is being filled, and gives it a reference to the resource.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What happened to the library's resources.
struct record {
    std::atomic<int> reads{0};
    std::atomic<int> destroyed{0};
};

/// A resource of the library in host memory.
struct resource {
    record* seen;
};

/// The work: reads the resource.
/// @param data  a resource
void CUDART_CB read_it(void* data) { ++static_cast<resource*>(data)->seen->reads; }

/// Deletes the resource; a host function, and the destructor of a user object.
/// @param data  a resource
void CUDART_CB destroy_it(void* data) {
    auto* const it = static_cast<resource*>(data);
    record* const seen = it->seen;
    delete it;
    ++seen->destroyed;
}

// [library]
/// The library's function.
/// @param seen    where its resources note what happened
/// @param stream  the caller's stream, which may be one that is being captured
void library_call(record* seen, cudaStream_t stream) {
    auto* const it = new resource{seen};
    lockstep::check(cudaLaunchHostFunc(stream, read_it, it));

    cudaStreamCaptureStatus status{};
    cudaGraph_t graph = nullptr;  // the one that is being filled; the caller's
    lockstep::check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph));
    if (status == cudaStreamCaptureStatusActive) {
        cudaUserObject_t object = nullptr;
        lockstep::check(cudaUserObjectCreate(&object, it, destroy_it, 1,
                                             cudaUserObjectNoDestructorSync));
        lockstep::check(
            cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    } else {
        lockstep::check(cudaLaunchHostFunc(stream, destroy_it, it));
    }
}
// [/library]

int main() {
    lockstep::require_device();
    const lockstep::owned_stream stream;

    record plain;
    library_call(&plain, stream);
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("stream: reads", plain.reads.load());
    lockstep::report("stream: destroyed", plain.destroyed.load());

    record captured;
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    library_call(&captured, stream);
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphDestroy(graph));
    for (int launch = 0; launch < 3; ++launch)
        lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    const int reads = captured.reads, early = captured.destroyed;
    lockstep::check(cudaGraphExecDestroy(executable));
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (captured.destroyed == 0 && std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();

    lockstep::report("graph: reads", reads);
    lockstep::report("graph: destroyed before", early);
    lockstep::report("graph: destroyed at the end", captured.destroyed.load());
    return plain.reads == 1 && plain.destroyed == 1 && reads == 3 && early == 0 &&
                   captured.destroyed == 1
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
