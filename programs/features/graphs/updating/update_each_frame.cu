// A graph is instantiated once and launched for ten frames, but each launch adds the
// number of the first frame. Let each launch add the number of its own frame, without
// instantiating again.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 64;

/// Adds a frame's number to each element.
/// @param frame  what is added
/// @param x      n ints in device memory; one block of n threads
__global__ void add_frame(int frame, int* x) { x[threadIdx.x] += frame; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;

    int frame = 1;
    int* x = d_x.data();
    void* kernel_arguments[] = {&frame, &x};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(add_frame);
    params.gridDim = dim3(1);
    params.blockDim = dim3(n);
    params.kernelParams = kernel_arguments;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t executable = nullptr;
    lockstep::check(cudaGraphCreate(&graph, 0));
    lockstep::check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    lockstep::check(cudaGraphInstantiate(&executable, graph, 0));

    std::vector<int> after_each, expected;
    for (frame = 1; frame <= 10; ++frame) {
        // [task]
        lockstep::check(cudaGraphExecKernelNodeSetParams(executable, node, &params));
        lockstep::check(cudaGraphLaunch(executable, stream));
        //= given
        //| // frame has changed; does the executable graph know?
        //| lockstep::check(cudaGraphLaunch(executable, stream));
        //= mutant changes_the_definition
        //| lockstep::check(cudaGraphKernelNodeSetParams(node, &params));
        //| lockstep::check(cudaGraphLaunch(executable, stream));
        //= mutant sets_after_the_launch
        //| lockstep::check(cudaGraphLaunch(executable, stream));
        //| lockstep::check(
        //|     cudaGraphExecKernelNodeSetParams(executable, node, &params));
        //= mutant launches_twice
        //| lockstep::check(cudaGraphLaunch(executable, stream));
        //| lockstep::check(
        //|     cudaGraphExecKernelNodeSetParams(executable, node, &params));
        //| lockstep::check(cudaGraphLaunch(executable, stream));
        // [/task]
        lockstep::check(cudaStreamSynchronize(stream));
        after_each.push_back(d_x.to_host()[n - 1]);
        expected.push_back(frame * (frame + 1) / 2);
    }
    lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    lockstep::exercise_verdict verdict;
    const auto place = [](std::size_t i) {
        return "the total after frame " + std::to_string(i + 1);
    };
    verdict.equal("total after each frame", after_each, expected, place);
    return verdict.finish();
}
