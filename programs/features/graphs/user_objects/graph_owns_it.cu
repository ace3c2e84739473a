// A function returns a graph whose host node reads a table. The caller must not have to
// know about the table, so the graph has to own it: make a user object of the table and
// give the graph the only reference. The table's destructor must run exactly once,
// after the last launch, when graph and executable graph are gone.

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// What the host node reads. It outlives its destructor here, so that the check can see
/// what happened.
struct table {
    int value = 7;
    int total = 0;  ///< sum of the values that were read
    std::atomic<int> destroyed{0};  ///< how often its destructor ran
};

/// The host node: reads the table.
/// @param data  a table
void CUDART_CB read_table(void* data) {
    table& read = *static_cast<table*>(data);
    read.total += read.destroyed == 0 ? read.value : -1000;
}

/// The destructor.
/// @param data  a table
void CUDART_CB destroy_table(void* data) { ++static_cast<table*>(data)->destroyed; }

/// Makes a graph that owns a table.
/// @param owned  the table
cudaGraph_t make_graph(table* owned) {
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t node = nullptr;
    cudaHostNodeParams params{read_table, owned};
    lockstep::check(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params));
    // [task]
    cudaUserObject_t object = nullptr;
    lockstep::check(cudaUserObjectCreate(&object, owned, destroy_table, 1,
                                         cudaUserObjectNoDestructorSync));
    lockstep::check(
        cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    //= given
    //| // A cudaUserObject_t is needed, and the graph must have its reference.
    //= mutant keeps_a_reference
    //| cudaUserObject_t object = nullptr;
    //| lockstep::check(cudaUserObjectCreate(&object, owned, destroy_table, 1,
    //|                                      cudaUserObjectNoDestructorSync));
    //| lockstep::check(cudaGraphRetainUserObject(graph, object, 1, 0));
    //= mutant one_reference_too_many
    //| cudaUserObject_t object = nullptr;
    //| lockstep::check(cudaUserObjectCreate(&object, owned, destroy_table, 2,
    //|                                      cudaUserObjectNoDestructorSync));
    //| lockstep::check(
    //|     cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    //= mutant released_at_once
    //| cudaUserObject_t object = nullptr;
    //| lockstep::check(cudaUserObjectCreate(&object, owned, destroy_table, 1,
    //|                                      cudaUserObjectNoDestructorSync));
    //| lockstep::check(cudaUserObjectRelease(object));
    // [/task]
    return graph;
}

int main() {
    lockstep::require_device();

    table owned;
    const lockstep::owned_stream stream;
    const cudaGraph_t graph = make_graph(&owned);
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaGraphDestroy(graph));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const int early = owned.destroyed;
    for (int launch = 0; launch < 3; ++launch)
        lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaGraphExecDestroy(executable));
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (owned.destroyed == 0 && std::chrono::steady_clock::now() < patience)
        std::this_thread::yield();

    lockstep::exercise_verdict verdict;
    verdict.holds("alive without the graph", early == 0,
                  "the executable graph has no reference, so the table went too early");
    verdict.equal("total of three launches", std::vector<int>{owned.total},
                  std::vector<int>{21});
    verdict.holds("destroyed at the end", owned.destroyed == 1,
                  "a reference is still held, or the graph was never given one");
    return verdict.finish();
}
