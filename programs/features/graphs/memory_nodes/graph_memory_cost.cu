// What do memory nodes cost? Little while a graph goes into the same stream again. If
// the stream changes, or the memory was trimmed, it has to be mapped again; an upload
// moves that out of the launch.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/memory_nodes.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int count = 16 << 20;

/// Writes the index to every 1024th element.
/// @param x  count ints in device memory
__global__ void touch(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[1024 * i] = i;
}

/// Copies one element.
/// @param x     count ints in device memory
/// @param last  an int in device memory, written
__global__ void take_last(const int* x, int* last) { *last = x[count - 1024]; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool timed = !options.flag("untimed");
    options.finish();
    lockstep::require_device();

    lockstep::device_buffer<int> own(count);
    lockstep::device_buffer<int> last(1);
    last.fill_bytes(0x55);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream, other;
    constexpr int blocks = count / 1024 / 256;

    // [graphs]
    lockstep::owned_graph fixed;  // uses memory of the program
    const cudaGraphNode_t touched =
        lockstep::add_kernel_node(fixed, {}, blocks, 256, touch, own.data());
    lockstep::add_kernel_node(fixed, {touched}, 1, 1, take_last, own.data(),
                              last.data());
    lockstep::owned_graph owning;  // allocates its own
    int* x = nullptr;
    const cudaGraphNode_t allocate =
        lockstep::add_allocation_node(owning, {}, count, &x);
    const cudaGraphNode_t a =
        lockstep::add_kernel_node(owning, {allocate}, blocks, 256, touch, x);
    const cudaGraphNode_t b =
        lockstep::add_kernel_node(owning, {a}, 1, 1, take_last, x, last.data());
    lockstep::add_free_node(owning, {b}, x);
    // [/graphs]
    const auto median_us = [&](auto&& prepare, auto&& work) {
        std::vector<double> samples_ms;
        for (int round = 0; round < (timed ? 40 : 2); ++round) {
            prepare();
            lockstep::check(cudaDeviceSynchronize());
            const auto begin = std::chrono::steady_clock::now();
            work(round);
            const auto end = std::chrono::steady_clock::now();
            samples_ms.push_back(
                std::chrono::duration<double, std::milli>(end - begin).count());
        }
        return 1e3 * lockstep::summarize(samples_ms).median_ms;
    };
    const cudaGraphExec_t without = fixed.instantiate();
    const cudaGraphExec_t with = owning.instantiate();

    // [cases]
    const auto run = [&](cudaGraphExec_t graph, cudaStream_t where) {
        lockstep::check(cudaGraphLaunch(graph, where));
        lockstep::check(cudaStreamSynchronize(where));
    };
    const auto trim = [&] { lockstep::check(cudaDeviceGraphMemTrim(0)); };
    const auto upload = [&](cudaStream_t where) {
        lockstep::check(cudaGraphUpload(with, where));
        lockstep::check(cudaStreamSynchronize(where));
    };
    const auto nothing = [] {};
    const auto turns = [&](int round) { run(with, round % 2 ? other : stream); };
    const auto same = [&](int) { run(with, stream); };
    const double fixed_us = median_us(nothing, [&](int) { run(without, stream); });
    const double same_us = median_us(nothing, same);
    const double turns_us = median_us(nothing, turns);
    const double trimmed_us = median_us(trim, same);
    const double upload_us = median_us(trim, [&](int) { upload(stream); });
    const auto trim_and_upload = [&](cudaStream_t where) {
        trim();
        upload(where);
    };
    const double uploaded_us = median_us([&] { trim_and_upload(stream); }, same);
    const double elsewhere_us = median_us([&] { trim_and_upload(other); }, same);
    // [/cases]
    lockstep::report("memory of the program", lockstep::measured{fixed_us}, "us");
    lockstep::report("memory nodes, same stream", lockstep::measured{same_us}, "us");
    lockstep::report("streams in turns", lockstep::measured{turns_us}, "us");
    lockstep::report("after a trim", lockstep::measured{trimmed_us}, "us");
    lockstep::report("the upload after a trim", lockstep::measured{upload_us}, "us");
    lockstep::report("after trim and upload", lockstep::measured{uploaded_us}, "us");
    lockstep::report("uploaded to other stream", lockstep::measured{elsewhere_us},
                     "us");
    const bool right = last.to_host()[0] == count / 1024 - 1;
    lockstep::report("last element right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
