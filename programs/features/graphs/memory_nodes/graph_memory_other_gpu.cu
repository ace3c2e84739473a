// Can another GPU read the memory that a graph allocates? It can if the allocation node
// lists it. A captured allocation takes the list of its pool when it is captured, and
// later changes do not count. Children try: the graph fills memory on device 0, then a
// kernel on device 1 reads. A fault ends all GPU work of its process.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Writes a number.
/// @param to  one int in device memory, written
__global__ void write_42(int* to) { *to = 42; }

/// Copies one number.
/// @param from  one int in some device's memory
/// @param to    one int in memory of the device that runs the kernel, written
__global__ void read_peer(const int* from, int* to) { *to = *from; }

/// A permission for device 1.
cudaMemAccessDesc device_1(cudaMemAccessFlags flags) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = 1;
    access.flags = flags;
    return access;
}

// [node]
/// A graph with an allocation node and a kernel.
/// @param listed  whether the node lists device 1
/// @param x       set to the address of the allocation
cudaGraph_t built(bool listed, int** x) {
    const cudaMemAccessDesc access = device_1(cudaMemAccessFlagsProtReadWrite);
    cudaGraphNodeParams params = lockstep::allocation_params(sizeof **x);
    if (listed) {
        params.alloc.accessDescs = &access;
        params.alloc.accessDescCount = 1;
    }
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    *x = static_cast<int*>(params.alloc.dptr);
    lockstep::add_kernel_node(graph, {node}, 1, 1, write_42, *x);
    return graph;
}
// [/node]

// [capture]
/// A graph that allocates an int of a pool and writes 42 there, by capture.
/// @param before  permission of device 1 that the pool has at the capture
/// @param after   the one that it gets after the capture
/// @param x       set to the address of the allocation
cudaGraph_t captured(cudaMemAccessFlags before, cudaMemAccessFlags after, int** x) {
    const lockstep::owned_stream stream;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &properties));
    cudaMemAccessDesc access = device_1(before);
    if (before) lockstep::check(cudaMemPoolSetAccess(pool, &access, 1));
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    lockstep::check(cudaMallocFromPoolAsync(x, sizeof **x, pool, stream));
    write_42<<<1, 1, 0, stream>>>(*x);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    access.flags = after;
    cudaError_t changed = cudaSuccess;
    if (after != before) changed = cudaMemPoolSetAccess(pool, &access, 1);
    if (changed != cudaSuccess) std::printf("%s, ", cudaGetErrorName(changed));
    cudaGetLastError();  // forget it
    return graph;
}
// [/capture]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { none, plain, listed, never, later, earlier, revoked };
    const int access = options.choice(
        "access", {"none", "plain", "listed", "never", "later", "earlier", "revoked"});
    options.finish();
    lockstep::require_device(0, 2);
    if (access == none) {
        const auto child = [&](const char* label, const char* name) {
            const std::string said =
                lockstep::output_of(argv[0], std::string("--access ") + name);
            lockstep::report(label, said.empty() ? "no answer" : said.c_str());
            return !said.empty();
        };
        bool right = child("node lists no other GPU", "plain");
        right &= child("node lists device 1", "listed");
        child("captured, no permission", "never");
        child("permission after capture", "later");
        child("permission before capture", "earlier");
        child("taken back after capture", "revoked");
        return right ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    int* x = nullptr;
    int* d_found = nullptr;
    int found = 0;
    constexpr auto no = cudaMemAccessFlagsProtNone;
    constexpr auto yes = cudaMemAccessFlagsProtReadWrite;
    lockstep::owned_graph graph(
        access <= listed
            ? built(access == listed, &x)
            : captured(access >= earlier ? yes : no,
                       access == later || access == earlier ? yes : no, &x));
    // [read]
    lockstep::check(cudaGraphLaunch(graph.instantiate(), nullptr));
    lockstep::check(cudaDeviceSynchronize());  // the memory stays: no node frees it
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaMalloc(&d_found, sizeof *d_found));
    read_peer<<<1, 1>>>(x, d_found);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    // [/read]
    if (error == cudaSuccess)
        error = cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDefault);
    if (error == cudaSuccess)
        std::printf("read %d", found);
    else
        std::printf("%s", cudaGetErrorName(error));
    return EXIT_SUCCESS;
}
