// Why is the first launch of a graph slower, and how can that be avoided? The first
// launch also brings the executable graph to the device. cudaGraphUpload, or a flag at
// the instantiation, does this part beforehand; so the first launch costs little more
// than later ones.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Counts its launches.
/// @param count  one number in device memory, increased
__global__ void count_one(unsigned* count) { *count += 1; }

/// How an executable graph is brought to the device.
enum method { by_first_launch, by_upload, by_flag };

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int nodes = options.integer("nodes", 100, 1, 1000);
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    lockstep::device_buffer<unsigned> d_count(1);
    d_count.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    cudaGraph_t graph = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int node = 0; node < nodes; ++node)
        count_one<<<1, 1, 0, stream>>>(d_count.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamEndCapture(stream, &graph));

    std::vector<double> upload_ms;
    const auto upload = [&](cudaGraphExec_t executable) {
        const auto begin = std::chrono::steady_clock::now();
        lockstep::check(cudaGraphUpload(executable, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        upload_ms.push_back(time.count());
    };
    // [three-ways]
    const auto instantiate = [&](method how) {
        cudaGraphExec_t executable = nullptr;
        if (how == by_flag) {  // the flag needs a stream, so it needs this call
            cudaGraphInstantiateParams params{};
            params.flags = cudaGraphInstantiateFlagUpload;
            params.uploadStream = stream;
            lockstep::check(
                cudaGraphInstantiateWithParams(&executable, graph, &params));
        } else {
            lockstep::check(cudaGraphInstantiateWithFlags(&executable, graph, 0));
            if (how == by_upload) upload(executable);
        }
        lockstep::check(cudaStreamSynchronize(stream));
        return executable;
    };
    // [/three-ways]

    constexpr int rounds = 25;
    double first_us[3] = {}, later_us = 0;
    for (const method how : {by_first_launch, by_upload, by_flag}) {
        std::vector<double> first_ms, later_ms;
        for (int round = -2; round < rounds; ++round) {
            const cudaGraphExec_t executable = instantiate(how);
            // [timing]
            for (auto* samples : {&first_ms, &later_ms}) {
                const auto begin = std::chrono::steady_clock::now();
                lockstep::check(cudaGraphLaunch(executable, stream));
                const std::chrono::duration<double, std::milli> time =
                    std::chrono::steady_clock::now() - begin;
                lockstep::check(cudaStreamSynchronize(stream));
                if (round >= 0) samples->push_back(time.count());
            }
            // [/timing]
            lockstep::check(cudaGraphExecDestroy(executable));
        }
        first_us[how] = 1e3 * lockstep::summarize(first_ms).median_ms;
        later_us = 1e3 * lockstep::summarize(later_ms).median_ms;
    }
    lockstep::check(cudaGraphDestroy(graph));

    const unsigned expected = 3u * (rounds + 2) * 2 * nodes;
    const bool right = d_count.to_host()[0] == expected;
    lockstep::report("kernels in the graph", nodes);
    lockstep::report("first launch", lockstep::measured{first_us[by_first_launch]},
                     "us");
    lockstep::report("after cudaGraphUpload", lockstep::measured{first_us[by_upload]},
                     "us");
    lockstep::report("after the upload flag", lockstep::measured{first_us[by_flag]},
                     "us");
    lockstep::report("upload, until it is done",
                     lockstep::measured{1e3 * lockstep::summarize(upload_ms).median_ms},
                     "us");
    lockstep::report("second launch", lockstep::measured{later_us}, "us");
    lockstep::report("every launch counted", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
