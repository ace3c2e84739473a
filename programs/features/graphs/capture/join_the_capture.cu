// Two kernels fill the two halves of an array, a third one adds the halves. The program
// captures all three as a graph, but the second kernel goes to another stream, which
// does not take part. Bring the other stream into the capture and back, so that the two
// first kernels may run at the same time, and the third one waits for both.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

/// Fills an array with multiples of a number.
/// @param number  the number
/// @param x       n ints in device memory, written; one block of n threads
__global__ void fill(int number, int* x) {
    x[threadIdx.x] = number * static_cast<int>(threadIdx.x);
}

/// Adds two arrays.
/// @param a, b  n ints each in device memory; one block of n threads
/// @param sum   n ints in device memory, written
__global__ void add(const int* a, const int* b, int* sum) {
    sum[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_a(n), d_b(n), d_sum(n);
    d_sum.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream, other;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event join(cudaEventDisableTiming);

    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    // [task]
    lockstep::check(cudaEventRecord(fork, stream));
    lockstep::check(cudaStreamWaitEvent(other, fork));
    fill<<<1, n, 0, stream>>>(30, d_a.data());
    fill<<<1, n, 0, other>>>(12, d_b.data());
    lockstep::check(cudaEventRecord(join, other));
    lockstep::check(cudaStreamWaitEvent(stream, join));
    //= given
    //| // The events fork and join are there; nothing uses them yet.
    //| fill<<<1, n, 0, stream>>>(30, d_a.data());
    //| fill<<<1, n, 0, other>>>(12, d_b.data());
    //= mutant never_joined
    //| lockstep::check(cudaEventRecord(fork, stream));
    //| lockstep::check(cudaStreamWaitEvent(other, fork));
    //| fill<<<1, n, 0, stream>>>(30, d_a.data());
    //| fill<<<1, n, 0, other>>>(12, d_b.data());
    //= mutant forks_too_late
    //| fill<<<1, n, 0, stream>>>(30, d_a.data());
    //| lockstep::check(cudaEventRecord(fork, stream));
    //| lockstep::check(cudaStreamWaitEvent(other, fork));
    //| fill<<<1, n, 0, other>>>(12, d_b.data());
    //| lockstep::check(cudaEventRecord(join, other));
    //| lockstep::check(cudaStreamWaitEvent(stream, join));
    //= mutant one_stream
    //| fill<<<1, n, 0, stream>>>(30, d_a.data());
    //| fill<<<1, n, 0, stream>>>(12, d_b.data());
    // [/task]
    add<<<1, n, 0, stream>>>(d_a.data(), d_b.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("capture ended with a graph", ended == cudaSuccess,
                  "a stream that joined the capture was not joined back");
    if (!graph) return verdict.finish();
    std::size_t nodes = 0, edges = 0, roots = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    lockstep::check(cudaGraphGetRootNodes(graph, nullptr, &roots));
    verdict.holds("three kernels captured", nodes == 3,
                  "the other stream's kernel ran at once and is no node of the graph");
    verdict.holds("two begin at once", roots == 2 && edges == 2,
                  "one of the first two kernels waits for the other one");

    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    lockstep::check(cudaDeviceSynchronize());
    d_a.fill_bytes(0);  // what ran before the launch does not count
    d_b.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 42 * i;
    verdict.equal("sum", d_sum.to_host(), expected);
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));
    return verdict.finish();
}
