// Do two launches of one executable graph ever overlap? Never: each launch waits for
// the one before, even in another stream. Two executable graphs made of the same graph
// may run at the same time.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Notes how many of its kind run at the same time.
/// @param running  how many run now, in device memory
/// @param most     the largest number so far, in device memory
__global__ void count_running(int* running, int* most) {
    atomicMax(most, atomicAdd(running, 1) + 1);
    lockstep::busy_wait(200'000);
    atomicSub(running, 1);
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_counts(2);
    const lockstep::owned_stream streams[2];

    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    count_running<<<1, 1, 0, streams[0]>>>(d_counts.data(), d_counts.data() + 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(streams[0], &graph));

    // [two]
    cudaGraphExec_t executables[2] = {};
    for (cudaGraphExec_t& executable : executables)
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
    // [/two]

    const auto most_at_once = [&](cudaGraphExec_t one, cudaGraphExec_t other) {
        d_counts.fill_bytes(0);
        lockstep::check(cudaDeviceSynchronize());
        // [launches]
        for (int launch = 0; launch < 10; ++launch) {
            lockstep::check(cudaGraphLaunch(one, streams[0]));
            lockstep::check(cudaGraphLaunch(other, streams[1]));
        }
        lockstep::check(cudaDeviceSynchronize());
        // [/launches]
        return d_counts.to_host()[1];
    };
    const int one = most_at_once(executables[0], executables[0]);
    const int two = most_at_once(executables[0], executables[1]);
    for (const cudaGraphExec_t executable : executables)
        lockstep::check(cudaGraphExecDestroy(executable));
    lockstep::check(cudaGraphDestroy(graph));

    std::printf("kernels at the same time\n");
    lockstep::report("  one executable graph", one);
    lockstep::report("  two executable graphs", lockstep::counted{two});
    return one == 1 && two >= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
