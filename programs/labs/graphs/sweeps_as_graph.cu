// How does a sequence of launches become a graph? Capture records it, instantiation
// makes the record executable, and from then on one call launches all of it. Nothing
// runs before that.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// One sweep over a square plate: each inner point becomes the mean of its four
/// neighbors; the points of the edge keep their temperature.
/// @param n     points of a side
/// @param from  n x n temperatures in device memory, in thousandths of a degree
/// @param to    n x n temperatures in device memory; the inner points are written
__global__ void sweep(int n, const int* from, int* to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    to[i] = (from[i - n] + from[i + n] + from[i - 1] + from[i + 1]) / 4;
}
// [/kernel]

/// The same sweep on the host.
void sweep_on_host(int n, const std::vector<int>& from, std::vector<int>& to) {
    for (int y = 1; y < n - 1; ++y)
        for (int i = y * n + 1; i < y * n + n - 1; ++i)
            to[i] = (from[i - n] + from[i + n] + from[i - 1] + from[i + 1]) / 4;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 66, 3, 1026);
    options.finish();
    lockstep::require_device();

    constexpr int sweeps = 20;
    std::vector<int> plate(n * n, 0);
    for (int i = 0; i < n; ++i) plate[i] = 1000 * (20 + i % 30);  // one warm edge
    std::vector<int> after_next = plate;
    lockstep::device_buffer<int> d_a(plate), d_b(plate);
    lockstep::check(cudaDeviceSynchronize());
    const dim3 block(32, 8), grid((n + 29) / 32, (n + 5) / 8);
    const lockstep::owned_stream stream;

    // [round]
    const auto enqueue_round = [&] {
        for (int i = 0; i < sweeps; i += 2) {
            sweep<<<grid, block, 0, stream>>>(n, d_a.data(), d_b.data());
            sweep<<<grid, block, 0, stream>>>(n, d_b.data(), d_a.data());
        }
        lockstep::check(cudaGetLastError());
    };
    // [/round]

    // [capture]
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    enqueue_round();
    lockstep::check(cudaStreamEndCapture(stream, &graph));
    // [/capture]
    const bool nothing_ran = lockstep::count_mismatches(d_a.to_host(), plate) == 0;
    std::size_t nodes = 0, edges = 0;
    lockstep::check(cudaGraphGetNodes(graph, nullptr, &nodes));
    lockstep::check(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));

    // [instantiate]
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    // [/instantiate]
    // [launch]
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round)
        lockstep::check(cudaGraphLaunch(executable, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/launch]
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    for (int i = 0; i < rounds * sweeps; ++i) {
        sweep_on_host(n, plate, after_next);
        plate.swap(after_next);
    }
    const std::size_t wrong = lockstep::count_mismatches(d_a.to_host(), plate);
    lockstep::report("nodes", nodes);
    lockstep::report("edges", edges);
    lockstep::report("nothing ran in the capture", nothing_ran);
    lockstep::report("sweeps by three launches", rounds * sweeps);
    lockstep::report("wrong points", wrong);
    const bool right = nothing_ran && wrong == 0 && nodes == sweeps;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
