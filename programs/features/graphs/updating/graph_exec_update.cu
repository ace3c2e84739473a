// The same work with other arguments, frame after frame: must the graph be instantiated
// again? If only parameters changed, a newly captured graph updates the executable one.
// If the nodes or edges changed, the update is refused with a reason, and only then a
// new instantiation is needed.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds a number.
/// @param number  what is added
/// @param x       one int in device memory
__global__ void add(int number, int* x) { *x += number; }

/// Multiplies by a number.
/// @param number  the factor
/// @param x       one int in device memory
__global__ void multiply(int number, int* x) { *x *= number; }

/// The name of an update's result.
/// @param result  what cudaGraphExecUpdate reported
const char* name_of(cudaGraphExecUpdateResult result) {
    switch (result) {
        case cudaGraphExecUpdateSuccess: return "success";
        case cudaGraphExecUpdateErrorTopologyChanged: return "topology changed";
        case cudaGraphExecUpdateErrorNodeTypeChanged: return "node type changed";
        case cudaGraphExecUpdateErrorParametersChanged: return "parameters changed";
        case cudaGraphExecUpdateErrorNotSupported: return "not supported";
        default: return "another reason";
    }
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(1);
    d_x.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    int* x = d_x.data();
    const lockstep::owned_stream stream;
    const auto capture = [&](auto enqueue) {
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        enqueue();
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        return graph;
    };

    // [frames]
    cudaGraphExec_t executable = nullptr;
    int updates = 0, instantiations = 0, expected = 0;
    for (int frame = 0; frame < 10; ++frame) {
        const cudaGraph_t graph = capture([&] {
            add<<<1, 1, 0, stream>>>(frame, x);
            multiply<<<1, 1, 0, stream>>>(2, x);
        });
        cudaGraphExecUpdateResultInfo info{};  // why it was refused
        cudaError_t updated = cudaErrorGraphExecUpdateFailure;  // nothing to update yet
        if (executable) updated = cudaGraphExecUpdate(executable, graph, &info);
        if (updated != cudaErrorGraphExecUpdateFailure) {
            lockstep::check(updated);
            ++updates;
        } else {
            cudaGetLastError();  // refused: instantiate again
            if (executable) lockstep::check(cudaGraphExecDestroy(executable));
            lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
            ++instantiations;
        }
        lockstep::check(
            cudaGraphDestroy(graph));  // the executable graph needs no graph
        lockstep::check(cudaGraphLaunch(executable, stream));
        expected = 2 * (expected + frame);
    }
    lockstep::check(cudaStreamSynchronize(stream));
    // [/frames]
    const int result = d_x.to_host()[0];
    lockstep::report("instantiations", instantiations);
    lockstep::report("updates", updates);
    lockstep::report("result", result);

    // [changes]
    const auto try_update = [&](const char* what, auto enqueue) {
        const cudaGraph_t graph = capture(enqueue);
        cudaGraphExecUpdateResultInfo info{};
        const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
        cudaGetLastError();  // cleared: the call's own status is kept
        lockstep::report(what, name_of(info.result));
        lockstep::report("  returns", cudaGetErrorName(error));
        lockstep::report("  names a node", info.errorNode != nullptr);
        lockstep::check(cudaGraphDestroy(graph));
        return error == cudaSuccess;
    };
    const bool other_kernel = try_update("another kernel", [&] {
        multiply<<<1, 1, 0, stream>>>(3, x);
        add<<<1, 1, 0, stream>>>(0, x);
    });
    const bool third_node = try_update("a third node", [&] {
        for (int node = 0; node < 3; ++node) add<<<1, 1, 0, stream>>>(1, x);
    });
    const bool other_type = try_update("a memory set", [&] {
        lockstep::check(cudaMemsetAsync(x, 0, sizeof(int), stream));
        add<<<1, 1, 0, stream>>>(1, x);
    });
    // [/changes]

    // [after]
    lockstep::check(cudaGraphLaunch(executable, stream));  // as last updated
    lockstep::check(cudaStreamSynchronize(stream));
    // [/after]
    lockstep::check(cudaGraphExecDestroy(executable));
    const int after = d_x.to_host()[0];
    lockstep::report("last launch multiplied by", after / result);
    const bool right = result == expected && updates == 9 && other_kernel &&
                       !third_node && !other_type && after == 3 * result;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
