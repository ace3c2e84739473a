// What order do graphs have with other work in a stream? The same as everything that is
// enqueued there: a kernel, a graph, a host function and a second graph run one after
// the other, each as a whole.

#include <cstdlib>
#include <cstring>

#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Letters in the order in which they were written, in pinned host memory.
struct text {
    int length;
    char letters[16];
};

/// Writes a letter; one thread.
/// @param letter  the letter
/// @param to      in pinned host memory, one letter longer afterwards
__global__ void append(char letter, text* to) { to->letters[to->length++] = letter; }

/// Writes an "h" on the host.
/// @param to  a text
void append_on_host(void* to) {
    text* all = static_cast<text*>(to);
    all->letters[all->length++] = 'h';
}

int main() {
    lockstep::require_device();

    text* to = nullptr;
    lockstep::check(cudaMallocHost(&to, sizeof(text)));
    *to = {};
    const lockstep::owned_stream stream;
    lockstep::owned_graph first, second;
    const auto one = lockstep::add_kernel_node(first, {}, 1, 1, append, '1', to);
    lockstep::add_kernel_node(first, {one}, 1, 1, append, '2', to);
    const auto three = lockstep::add_kernel_node(second, {}, 1, 1, append, '3', to);
    lockstep::add_kernel_node(second, {three}, 1, 1, append, '4', to);
    first.instantiate();
    second.instantiate();

    // [enqueue]
    append<<<1, 1, 0, stream>>>('k', to);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaGraphLaunch(first.executable(), stream));  // writes 1, 2
    lockstep::check(cudaLaunchHostFunc(stream, append_on_host, to));  // writes h
    lockstep::check(cudaGraphLaunch(second.executable(), stream));  // writes 3, 4
    lockstep::check(cudaStreamSynchronize(stream));
    // [/enqueue]

    lockstep::report("order", to->letters);
    const bool right = std::strcmp(to->letters, "k12h34") == 0;
    lockstep::check(cudaFreeHost(to));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
