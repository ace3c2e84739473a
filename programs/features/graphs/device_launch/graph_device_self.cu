// Can a graph launch itself again? As its own tail, once in each run: a loop on the GPU
// without the host. A kernel asks for its own graph with cudaGetCurrentGraphExec.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What the kernels note.
struct notes {
    int runs;
    int second_refused;  ///< runs in which a second launch of itself was an error
    int errors;  ///< runs in which the first one was
    int no_graph;  ///< whether a plain kernel found itself in no device graph
};

// [self]
/// Counts, and launches its own graph again; one thread.
/// @param wanted  runs in all
/// @param noted   in device memory
__global__ void again(int wanted, notes* noted) {
    if (++noted->runs == wanted) return;
    const cudaGraphExec_t self = cudaGetCurrentGraphExec();
    noted->errors += cudaGraphLaunch(self, cudaStreamGraphTailLaunch) != cudaSuccess;
    noted->second_refused +=
        cudaGraphLaunch(self, cudaStreamGraphTailLaunch) != cudaSuccess;
}
// [/self]

/// A kernel that is in no graph; one thread.
/// @param noted  in device memory
__global__ void plain(notes* noted) {
    noted->no_graph = cudaGetCurrentGraphExec() == nullptr;
}

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<notes> d_notes(1);
    d_notes.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [launch]
    lockstep::owned_graph graph;
    lockstep::add_kernel_node(graph, {}, 1, 1, again, 100, d_notes.data());
    lockstep::check(cudaGraphLaunch(
        graph.instantiate(cudaGraphInstantiateFlagDeviceLaunch), stream));
    plain<<<1, 1, 0, stream>>>(d_notes.data());  // after all runs
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
    // [/launch]
    const notes found = d_notes.to_host()[0];
    lockstep::report("launches by the host", 1);
    lockstep::report("runs", found.runs);
    lockstep::report("self-launches refused", found.errors);
    lockstep::report("second launches refused", found.second_refused);
    lockstep::report("plain kernel: no graph", found.no_graph != 0);
    const bool right = found.runs == 100 && found.errors == 0 &&
                       found.second_refused == 99 && found.no_graph;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
