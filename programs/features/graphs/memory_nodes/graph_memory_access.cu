// Which GPUs may access an allocation of a graph? Its own one, and those that the
// allocation node lists. A captured allocation takes the list that its pool has at that
// time.

#include <cstdlib>

#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    const lockstep::owned_graph graph;
    cudaGraphNode_t node = nullptr;

    // [descriptors]
    cudaMemAccessDesc access{};
    access.flags = cudaMemAccessFlagsProtReadWrite;
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 0;
    cudaGraphNodeParams params = lockstep::allocation_params(n);
    params.alloc.accessDescs = &access;
    params.alloc.accessDescCount = 1;
    const cudaError_t own =
        cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    access.flags = cudaMemAccessFlagsProtRead;
    const cudaError_t read_only =
        cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    access.flags = cudaMemAccessFlagsProtReadWrite;
    access.location.id = 99;
    const cudaError_t unknown =
        cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    // [/descriptors]
    cudaGetLastError();  // cleared: the call's own status is kept
    lockstep::report("its own GPU listed", cudaGetErrorName(own));
    lockstep::report("read-only access", cudaGetErrorName(read_only));
    lockstep::report("a GPU that is not there", cudaGetErrorName(unknown));

    // [capture]
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    access.location.id = 0;  // or a peer of this GPU
    lockstep::check(cudaMemPoolSetAccess(pool, &access, 1));
    const lockstep::owned_stream stream;
    void* x = nullptr;
    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMallocFromPoolAsync(&x, n, pool, stream));
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    // [/capture]
    const lockstep::owned_graph owner(captured);
    std::size_t one = 1;
    lockstep::check(cudaGraphGetNodes(captured, &node, &one));
    cudaMemAllocNodeParams recorded{};
    lockstep::check(cudaGraphMemAllocNodeGetParams(node, &recorded));
    lockstep::report("captured: bytes", recorded.bytesize);
    lockstep::report("captured: device", recorded.poolProps.location.id);
    lockstep::report("captured: same address", recorded.dptr == x);
    lockstep::check(cudaMemPoolDestroy(pool));
    const bool right = own == cudaSuccess && read_only == cudaErrorNotSupported &&
                       unknown == cudaErrorInvalidDevice && recorded.dptr == x;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
