// Two captures of the same work into two streams: does the order of the calls matter?
// In each stream it does, between the streams not. The first capture is instantiated,
// and cudaGraphExecUpdate() tells whether it takes the numbers of the others.

#include <cstdlib>
#include <string>
#include <vector>  // what to_host returns

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Adds a number.
/// @param number  what is added
/// @param x       an int in device memory
__global__ void add(int number, int* x) { *x += number; }

/// Adds the second int to the first.
/// @param x  two ints in device memory, the first one changed
__global__ void join(int* x) { x[0] += x[1]; }

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(2);
    int* x = d_x.data();
    const lockstep::owned_stream origin, other;
    const lockstep::owned_event fork(cudaEventDisableTiming);
    const lockstep::owned_event joined(cudaEventDisableTiming);

    // [capture]
    // O and o: kernel and memory set in the origin stream; P and p: in the other one
    const auto capture = [&](const std::string& order, int number) {
        lockstep::check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
        lockstep::check(cudaEventRecord(fork, origin));
        lockstep::check(cudaStreamWaitEvent(other, fork, 0));
        for (const char call : order) {
            const bool in_origin = call == 'O' || call == 'o';
            const cudaStream_t stream = in_origin ? origin : other;
            int* const place = in_origin ? x : x + 1;
            if (call == 'O' || call == 'P')
                add<<<1, 1, 0, stream>>>(number, place);
            else
                lockstep::check(cudaMemsetAsync(place, 0, sizeof(int), stream));
            lockstep::check(cudaGetLastError());
        }
        lockstep::check(cudaEventRecord(joined, other));
        lockstep::check(cudaStreamWaitEvent(origin, joined, 0));
        join<<<1, 1, 0, origin>>>(x);
        lockstep::check(cudaGetLastError());
        cudaGraph_t graph = nullptr;
        lockstep::check(cudaStreamEndCapture(origin, &graph));
        return lockstep::owned_graph(graph);
    };
    // [/capture]
    bool never_wrong = true, same_works = false;
    // [orders]
    const struct {
        const char* what;
        const char* order;
    } cases[] = {{"same order", "oOpP"},
                 {"streams in turns", "opOP"},
                 {"other stream first", "pPoO"},
                 {"order in one stream", "oOPp"}};
    // [/orders]
    for (const auto& one : cases) {
        // [update]
        lockstep::owned_graph first = capture("oOpP", 1);
        const lockstep::owned_graph second = capture(one.order, 20);
        const cudaGraphExec_t executable = first.instantiate();
        cudaGraphExecUpdateResultInfo info{};
        const cudaError_t error = cudaGraphExecUpdate(executable, second, &info);
        cudaGetLastError();  // cleared: the call's own status is kept
        lockstep::check(cudaGraphLaunch(executable, origin));
        lockstep::check(cudaStreamSynchronize(origin));
        // [/update]
        const int sum = d_x.to_host()[0];
        const bool updated = error == cudaSuccess;
        lockstep::report(one.what, updated ? "updated" : "refused");
        lockstep::report("  sum", sum);
        if (&one == cases) same_works = updated;
        // in the last case the other stream clears its number at the end
        const int updated_sum = one.order[3] == 'p' ? 20 : 40;
        never_wrong = never_wrong && sum == (updated ? updated_sum : 2);
    }
    return same_works && never_wrong ? EXIT_SUCCESS : EXIT_FAILURE;
}
