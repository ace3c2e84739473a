// A simulation makes 60 steps. Each is captured, since its launches are inside a
// function that you cannot change, and each has other arguments; from step 40 on, a
// kernel is missing. The starter instantiates in every step. Update the executable
// graph instead, and instantiate only where that is not possible.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 64;  // points of a rod
constexpr int steps = 60, heated = 40;

/// Heats one point; one thread.
/// @param point  which
/// @param by     how much, in thousandths of a degree
/// @param rod    n temperatures in device memory
__global__ void heat(int point, int by, int* rod) { rod[point] += by; }

/// Lets heat spread; one block of n threads.
/// @param percent  how much of a difference to the neighbors is made up
/// @param from     n temperatures in device memory
/// @param to       n temperatures in device memory, written
__global__ void spread(int percent, const int* from, int* to) {
    const int i = threadIdx.x;
    const int left = from[i > 0 ? i - 1 : 0], right = from[i < n - 1 ? i + 1 : n - 1];
    to[i] = from[i] + percent * (left + right - 2 * from[i]) / 200;
}

// [step]
/// Enqueues one step.
/// @param step    its number
/// @param rod     two rods of n temperatures in device memory: now, and for its own use
/// @param stream  where to
void enqueue_step(int step, int* rod, cudaStream_t stream) {
    if (step < heated) heat<<<1, 1, 0, stream>>>(step * 7 % n, 100 * step, rod);
    spread<<<1, n, 0, stream>>>(10 + step % 50, rod, rod + n);
    spread<<<1, n, 0, stream>>>(60 - step % 50, rod + n, rod);
    lockstep::check(cudaGetLastError());
}
// [/step]

/// Instantiates a graph, and counts that.
/// @param graph  the graph
/// @param count  increased
cudaGraphExec_t instantiated(cudaGraph_t graph, int& count) {
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    ++count;
    return executable;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_rod(2 * n);
    d_rod.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    cudaGraphExec_t executable = nullptr;
    int instantiations = 0;
    std::vector<int> seen, expected, rod(n, 0), next(n);
    for (int step = 0; step < steps; ++step) {
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        enqueue_step(step, d_rod.data(), stream);
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        // [task]
        cudaGraphExecUpdateResultInfo info{};
        cudaError_t updated = cudaErrorGraphExecUpdateFailure;
        if (executable) updated = cudaGraphExecUpdate(executable, graph, &info);
        if (updated == cudaErrorGraphExecUpdateFailure) {
            cudaGetLastError();  // the refusal is no error of this program
            if (executable) lockstep::check(cudaGraphExecDestroy(executable));
            executable = instantiated(graph, instantiations);
        } else {
            lockstep::check(updated);
        }
        //= given
        //| if (executable) lockstep::check(cudaGraphExecDestroy(executable));
        //| executable = instantiated(graph, instantiations);
        //= mutant instantiates_once
        //| if (!executable) executable = instantiated(graph, instantiations);
        //= mutant ignores_the_refusal
        //| cudaGraphExecUpdateResultInfo info{};
        //| if (executable)
        //|     cudaGraphExecUpdate(executable, graph, &info);
        //| else
        //|     executable = instantiated(graph, instantiations);
        //| cudaGetLastError();
        //= mutant instantiates_after_an_update
        //| cudaGraphExecUpdateResultInfo info{};
        //| if (executable && cudaGraphExecUpdate(executable, graph, &info) == cudaSuccess)
        //|     lockstep::check(cudaGraphExecDestroy(executable));
        //| executable = instantiated(graph, instantiations);
        //| cudaGetLastError();
        //= mutant keeps_the_refused_graph
        //| cudaGraphExecUpdateResultInfo info{};
        //| cudaError_t updated = cudaSuccess;
        //| if (executable) updated = cudaGraphExecUpdate(executable, graph, &info);
        //| cudaGetLastError();
        //| if (!executable) executable = instantiated(graph, instantiations);
        //| if (updated != cudaSuccess) instantiated(graph, instantiations);
        // [/task]
        lockstep::check(cudaGraphDestroy(graph));
        lockstep::check(cudaGraphLaunch(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        seen.push_back(d_rod.to_host()[step * 7 % n]);

        if (step < heated) rod[step * 7 % n] += 100 * step;
        for (const int percent : {10 + step % 50, 60 - step % 50}) {
            for (int i = 0; i < n; ++i) {
                const int left = rod[i > 0 ? i - 1 : 0];
                const int right = rod[i < n - 1 ? i + 1 : n - 1];
                next[i] = rod[i] + percent * (left + right - 2 * rod[i]) / 200;
            }
            rod.swap(next);
        }
        expected.push_back(rod[step * 7 % n]);
    }
    lockstep::check(cudaGraphExecDestroy(executable));

    std::size_t wrong_step = 0;
    while (wrong_step < seen.size() && seen[wrong_step] == expected[wrong_step])
        ++wrong_step;
    lockstep::exercise_verdict verdict;
    verdict.holds("steps 0 to 39", wrong_step >= heated,
                  "a step ran with the arguments of an earlier one");
    if (wrong_step >= heated)
        verdict.holds("steps from 40 on", wrong_step == seen.size(),
                      "the graph of a step before 40 ran on: its update was refused");
    verdict.holds("two instantiations", instantiations == 2,
                  instantiations > 2 ? "more than two: one for each shape is enough"
                                     : "fewer than two: there are two shapes");
    verdict.equal("one point after each step", seen, expected);
    return verdict.finish();
}
