// How many sweeps does a plate need until nothing changes any more by more than 0.02 C?
// Let the GPU decide: a WHILE node repeats its body, ten sweeps, as long as the last of
// them changed something by more. The handle and the node are there. Capture the body:
// the sweeps, the largest change, and the decision.

#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 12;  // points of a side; one block of n x n threads
constexpr int enough = 20;  // thousandths of a degree
constexpr int most = 40;  // rounds; the loop ends then in any case

// [kernels]
/// One sweep; one block of n x n threads.
/// @param from     n x n temperatures in device memory
/// @param to       n x n temperatures in device memory, inner points written
/// @param largest  in device memory, at least the largest change afterwards; or null
__global__ void sweep(const int* from, int* to, int* largest) {
    const int x = threadIdx.x, y = threadIdx.y, i = y * n + x;
    if (x == 0 || x == n - 1 || y == 0 || y == n - 1) return;
    to[i] = (from[i - n] + from[i + n] + from[i - 1] + from[i + 1]) / 4;
    if (largest) atomicMax(largest, abs(to[i] - from[i]));
}

/// Decides about the next round; one thread.
/// @param go_on    condition of the WHILE node
/// @param largest  in device memory: the largest change of the last sweep
__global__ void decide(cudaGraphConditionalHandle go_on, const int* largest) {
    cudaGraphSetConditional(go_on, *largest > enough);
}
// [/kernels]

/// The last kernel of the body: counts rounds, and ends a loop that does not end; one
/// thread.
/// @param go_on   condition of the WHILE node
/// @param rounds  in device memory, increased
__global__ void guard(cudaGraphConditionalHandle go_on, int* rounds) {
    if (++*rounds >= most) cudaGraphSetConditional(go_on, 0);
}

int main() {
    lockstep::require_device();

    std::vector<int> plate(n * n, 0), next;
    for (int x = 0; x < n; ++x) plate[x] = 1000 * (68 + x);  // one warm edge
    next = plate;
    lockstep::device_buffer<int> d_a(plate), d_b(plate), d_largest(1), d_rounds(1);
    d_largest.fill_bytes(0);
    d_rounds.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    int *a = d_a.data(), *b = d_b.data();
    int *largest = d_largest.data(), *rounds = d_rounds.data();
    const lockstep::owned_stream stream;
    const dim3 threads(n, n);

    // [loop]
    lockstep::owned_graph graph;
    cudaGraphConditionalHandle go_on{};
    lockstep::check(
        cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = go_on;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    lockstep::check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                                  cudaStreamCaptureModeGlobal));
    // [/loop]
    // [task]
    for (int i = 0; i < 4; ++i) {
        sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
        sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    }
    sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    lockstep::check(cudaMemsetAsync(largest, 0, sizeof(int), stream));
    sweep<<<1, threads, 0, stream>>>(b, a, largest);
    decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= given
    //| for (int i = 0; i < 5; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    //| }
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= mutant never_clears
    //| for (int i = 0; i < 4; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    //| }
    //| sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //| sweep<<<1, threads, 0, stream>>>(b, a, largest);
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= mutant notes_all_sweeps
    //| lockstep::check(cudaMemsetAsync(largest, 0, sizeof(int), stream));
    //| for (int i = 0; i < 5; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, largest);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, largest);
    //| }
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= mutant notes_the_last_two
    //| for (int i = 0; i < 4; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    //| }
    //| lockstep::check(cudaMemsetAsync(largest, 0, sizeof(int), stream));
    //| sweep<<<1, threads, 0, stream>>>(a, b, largest);
    //| sweep<<<1, threads, 0, stream>>>(b, a, largest);
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= mutant clears_before_deciding
    //| for (int i = 0; i < 4; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    //| }
    //| sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //| sweep<<<1, threads, 0, stream>>>(b, a, largest);
    //| lockstep::check(cudaMemsetAsync(largest, 0, sizeof(int), stream));
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //= mutant decides_first
    //| decide<<<1, 1, 0, stream>>>(go_on, largest);
    //| lockstep::check(cudaMemsetAsync(largest, 0, sizeof(int), stream));
    //| for (int i = 0; i < 4; ++i) {
    //|     sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //|     sweep<<<1, threads, 0, stream>>>(b, a, nullptr);
    //| }
    //| sweep<<<1, threads, 0, stream>>>(a, b, nullptr);
    //| sweep<<<1, threads, 0, stream>>>(b, a, largest);
    // [/task]
    guard<<<1, 1, 0, stream>>>(go_on, rounds);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &body));
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    int expected_rounds = 0, change = enough + 1;
    while (change > enough) {
        for (int s = 0; s < 10; ++s) {
            change = 0;
            for (int y = 1; y < n - 1; ++y)
                for (int i = y * n + 1; i < y * n + n - 1; ++i) {
                    next[i] =
                        (plate[i - n] + plate[i + n] + plate[i - 1] + plate[i + 1]) / 4;
                    change = std::max(change, std::abs(next[i] - plate[i]));
                }
            plate.swap(next);
        }
        ++expected_rounds;
    }
    const int made = d_rounds.to_host()[0];
    lockstep::exercise_verdict verdict;
    const std::string found = "the loop made " + std::to_string(made) + " rounds, " +
                              std::to_string(expected_rounds) + " are needed: ";
    verdict.holds("not too few rounds", made >= expected_rounds,
                  (found + "did decide see what the last sweep changed?").c_str());
    verdict.holds(
        "not too many rounds", made <= expected_rounds,
        (found + "is a larger change of an earlier sweep still there?").c_str());
    if (made == expected_rounds) verdict.equal("temperatures", d_a.to_host(), plate);
    return verdict.finish();
}
