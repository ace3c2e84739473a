// Does a graph's tail wait for everything that the graph has launched? For fire and
// forget, yes. A sibling belongs to the launcher's parent instead, so the tail can run
// beside it: this sibling waits for a flag that the tail raises.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Waits for a flag, but not for ever; one thread.
/// @param flag  an int in device memory
/// @param seen  an int in device memory: whether the flag was raised in time
__global__ void wait_for_flag(int* flag, int* seen) {
    const unsigned long long begin = lockstep::now_ns();
    while (lockstep::now_ns() - begin < 20'000'000)
        if (shared_word(*flag).load(cuda::memory_order_relaxed)) {
            *seen = 1;
            return;
        }
    *seen = 0;
}

/// The tail; one thread.
/// @param flag  an int in device memory, raised
__global__ void raise_flag(int* flag) {
    shared_word(*flag).store(1, cuda::memory_order_relaxed);
}

// [launcher]
/// Launches a graph that waits, and a tail; one thread.
/// @param sibling  whether the waiting graph is a sibling or a child
/// @param waiting  the graph that waits
/// @param tail     the graph that raises the flag
__global__ void launch(bool sibling, cudaGraphExec_t waiting, cudaGraphExec_t tail) {
    if (sibling)
        cudaGraphLaunch(waiting, cudaStreamGraphFireAndForgetAsSibling);
    else
        cudaGraphLaunch(waiting, cudaStreamGraphFireAndForget);
    cudaGraphLaunch(tail, cudaStreamGraphTailLaunch);
}
// [/launcher]

/// Whether the waiting graph saw the flag of the tail.
/// @param sibling  whether it is launched as a sibling
bool seen_in_time(bool sibling) {
    const lockstep::owned_stream stream;
    lockstep::device_buffer<int> flag(std::vector<int>(1, 0)), seen(1);
    seen.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph waiting, tail, host_graph;
    lockstep::add_kernel_node(waiting, {}, 1, 1, wait_for_flag, flag.data(),
                              seen.data());
    lockstep::add_kernel_node(tail, {}, 1, 1, raise_flag, flag.data());
    waiting.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
    tail.instantiate(cudaGraphInstantiateFlagDeviceLaunch);
    lockstep::check(cudaGraphUpload(waiting.executable(), stream));
    lockstep::check(cudaGraphUpload(tail.executable(), stream));
    lockstep::add_kernel_node(host_graph, {}, 1, 1, launch, sibling,
                              waiting.executable(), tail.executable());
    lockstep::check(cudaGraphLaunch(host_graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));
    return seen.to_host()[0] == 1;
}

int main() {
    lockstep::require_device();

    const bool child = seen_in_time(false);
    const bool sibling = seen_in_time(true);
    lockstep::report("child saw the tail's flag", child);
    lockstep::report("sibling saw the tail's flag", sibling);
    return !child && sibling ? EXIT_SUCCESS : EXIT_FAILURE;
}
