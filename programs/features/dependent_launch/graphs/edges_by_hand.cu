// What does each outgoing port of a kernel node wait for? The primary triggers
// half-way. The default port waits for its end, the programmatic port for its trigger,
// and the launch-completion port only until all its blocks have begun.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// When two kernels ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long first_begin;  ///< of the primary's earliest block
    unsigned long long first_end;  ///< of its latest
    unsigned long long second_begin;  ///< of the secondary's earliest block
    unsigned long long second_end;  ///< of its latest
};

/// The primary: works for 40 us, triggers half-way, stores at the end.
/// @param data  one int for each block in device memory, written
/// @param when  in device memory
__global__ void primary(int* data, stamps* when) {
    atomicMin(&when->first_begin, lockstep::now_ns());
    lockstep::busy_wait(20'000);
    cudaTriggerProgrammaticLaunchCompletion();
    lockstep::busy_wait(20'000);
    data[blockIdx.x] = 9;
    atomicMax(&when->first_end, lockstep::now_ns());
}

/// The secondary: 10 us of prologue, the wait, 5 us of work.
/// @param data   one int for each block in device memory
/// @param found  one int for each block in device memory, written
/// @param when   in device memory
__global__ void secondary(const int* data, int* found, stamps* when) {
    atomicMin(&when->second_begin, lockstep::now_ns());
    lockstep::busy_wait(10'000);
    cudaGridDependencySynchronize();
    found[blockIdx.x] = data[blockIdx.x];
    lockstep::busy_wait(5'000);
    atomicMax(&when->second_end, lockstep::now_ns());
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int blocks = 40;
    lockstep::device_buffer<int> data(blocks);
    lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<stamps> times(1);
    const lockstep::owned_stream stream;
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool right = true;
    const auto run = [&](const char* label, const char* row,
                         cudaGraphDependencyType type, unsigned char port) {
        // [graph]
        cudaGraph_t graph{};
        lockstep::check(cudaGraphCreate(&graph, 0));
        int* d_data = data.data();
        int* d_found = found.data();
        stamps* d_times = times.data();
        void* primary_arguments[] = {&d_data, &d_times};
        void* secondary_arguments[] = {&d_data, &d_found, &d_times};
        cudaGraphNodeParams first{};
        first.type = cudaGraphNodeTypeKernel;
        first.kernel.func = reinterpret_cast<void*>(primary);
        first.kernel.gridDim = dim3(blocks);
        first.kernel.blockDim = dim3(32);
        first.kernel.kernelParams = primary_arguments;
        cudaGraphNodeParams second = first;
        second.kernel.func = reinterpret_cast<void*>(secondary);
        second.kernel.kernelParams = secondary_arguments;
        cudaGraphNode_t primary_node{};
        cudaGraphNode_t secondary_node{};
        lockstep::check(
            cudaGraphAddNode(&primary_node, graph, nullptr, nullptr, 0, &first));
        cudaGraphEdgeData edge{};  // its other fields must be zero
        edge.type = type;
        edge.from_port = port;
        lockstep::check(
            cudaGraphAddNode(&secondary_node, graph, &primary_node, &edge, 1, &second));
        // [/graph]
        cudaGraphEdgeData read_back{};
        std::size_t count = 1;
        cudaGraphNode_t from{};
        lockstep::check(
            cudaGraphNodeGetDependencies(secondary_node, &from, &read_back, &count));
        right = right && read_back.type == type && read_back.from_port == port;
        cudaGraphExec_t executable{};
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        for (int round = 0; round < 2; ++round) {  // the first one warms up
            data.fill_bytes(0);
            const stamps none{~0ULL, 0, ~0ULL, 0};
            lockstep::check(
                cudaMemcpy(times.data(), &none, sizeof none, cudaMemcpyHostToDevice));
            lockstep::check(cudaDeviceSynchronize());
            lockstep::check(cudaGraphLaunch(executable, stream));
            lockstep::check(cudaStreamSynchronize(stream));
        }
        const stamps when = times.to_host()[0];
        right = right && lockstep::count_mismatches(found.to_host(),
                                                    std::vector<int>(blocks, 9)) == 0;
        const auto us = [&](unsigned long long at) {
            return 1e-3 * (at - when.first_begin);
        };
        lockstep::report(label, lockstep::measured{us(when.second_begin)}, "us");
        timeline.row("%s,kernel,primary,0.00,%.2f", row, us(when.first_end));
        timeline.row("%s 2nd,kernel,secondary,%.2f,%.2f", row, us(when.second_begin),
                     us(when.second_end));
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(graph));
    };
    // [ports]
    run("default port, start", "default", cudaGraphDependencyTypeDefault,
        cudaGraphKernelNodePortDefault);
    run("programmatic, start", "trigger", cudaGraphDependencyTypeProgrammatic,
        cudaGraphKernelNodePortProgrammatic);
    run("launch completion, start", "begun", cudaGraphDependencyTypeProgrammatic,
        cudaGraphKernelNodePortLaunchCompletion);
    // [/ports]
    timeline.finish();
    lockstep::report("results right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
