// When do kernel nodes of a graph run with priorities of their own? A graph has two
// branches: one kernel of many blocks with the lowest priority, and one of few blocks
// with the highest that begins while the first is running. With priorities, blocks of
// the second go first. A flag of the instantiation asks for them, and a variable
// overrides the flag.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

constexpr int low_blocks = 20'000;
constexpr int high_blocks = 132;

// [kernels]
/// Counts its blocks as they begin; each takes 100 microseconds.
/// @param begun  one count on the device
__global__ void low(int* begun) {
    if (threadIdx.x == 0) atomicAdd(begun, 1);
    lockstep::busy_wait(100'000);
}

/// Notes how many blocks of the other kernel had begun before each of its own.
/// @param begun  the other kernel's count
/// @param seen   one number on the device, the greatest so far
__global__ void high(int* begun, int* seen) {
    if (threadIdx.x == 0) atomicMax(seen, atomicAdd(begun, 0));
}
// [/kernels]

/// Captures the graph, launches it, and returns what the second kernel saw.
/// @param flags  of cudaGraphInstantiate
int blocks_begun_before(unsigned flags) {
    int least = 0;
    int greatest = 0;
    lockstep::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t patient{};
    cudaStream_t urgent{};
    lockstep::check(
        cudaStreamCreateWithPriority(&patient, cudaStreamNonBlocking, least));
    lockstep::check(
        cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    lockstep::device_buffer<int> d_counts(2);
    d_counts.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_event fork;
    const lockstep::owned_event join;
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    // [capture]
    lockstep::check(cudaStreamBeginCapture(patient, cudaStreamCaptureModeThreadLocal));
    lockstep::check(cudaEventRecord(fork, patient));
    lockstep::check(cudaStreamWaitEvent(urgent, fork));
    low<<<low_blocks, 1024, 0, patient>>>(d_counts.data());
    lockstep::busy<<<1, 1, 0, urgent>>>(300'000);  // the other kernel fills the GPU
    high<<<high_blocks, 1024, 0, urgent>>>(d_counts.data(), d_counts.data() + 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(join, urgent));
    lockstep::check(cudaStreamWaitEvent(patient, join));
    lockstep::check(cudaStreamEndCapture(patient, &graph));
    lockstep::check(cudaGraphInstantiate(&ready, graph, flags));
    // [/capture]
    lockstep::check(cudaGraphLaunch(ready, patient));
    lockstep::check(cudaStreamSynchronize(patient));
    lockstep::check(cudaGraphExecDestroy(ready));
    lockstep::check(cudaGraphDestroy(graph));
    lockstep::check(cudaStreamDestroy(urgent));
    lockstep::check(cudaStreamDestroy(patient));
    return d_counts.to_host()[1];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    const bool flag = options.flag("flag");
    options.finish();
    lockstep::require_device();
    if (child) {
        std::printf("%d", blocks_begun_before(
                              flag ? cudaGraphInstantiateFlagUseNodePriority : 0));
        return EXIT_SUCCESS;
    }

    std::printf("%-34s%-6s%s\n", "CUDA_GRAPHS_USE_NODE_PRIORITY", "flag",
                "low-priority blocks begun before");
    const auto show = [&](const char* value, bool with_flag) {
        const lockstep::inherited variable("CUDA_GRAPHS_USE_NODE_PRIORITY", value);
        const std::string said =
            lockstep::output_of(argv[0], with_flag ? "--child --flag" : "--child");
        std::printf("%-34s%-6s~%s\n", value ? value : "unset", with_flag ? "yes" : "no",
                    said.c_str());
        return std::atoi(said.c_str());
    };
    // [settings]
    const int without = show(nullptr, false);
    const int with = show(nullptr, true);
    show("1", false);
    show("0", true);
    // [/settings]
    return 0 < with && with < without ? EXIT_SUCCESS : EXIT_FAILURE;
}
