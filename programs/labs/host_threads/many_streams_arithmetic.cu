// How are 1024 kernels shared out over 16 host threads, 64 streams and several GPUs?
// Kernel i goes to stream i % 64, and stream j belongs to GPU j % gpus: 16 kernels for
// each stream. The streams are made once, before the threads begin.

#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int threads = 16;
constexpr int streams = 64;

/// Counts its own launch; kernels of one stream follow each other, so it needs no
/// atomic operation.
/// @param launches  an int in device memory for this stream
__global__ void count(int* launches) { ++*launches; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int gpus = options.integer("gpus", 1, 1, 8);
    const int kernels = options.integer("n", 1024, 1, 1 << 20);
    options.finish();
    lockstep::require_device(0, gpus);

    // [streams]
    std::vector<lockstep::device_buffer<int>>
        d_launches;  // on each GPU, for all streams
    for (int gpu = 0; gpu < gpus; ++gpu) {
        lockstep::check(cudaSetDevice(gpu));
        d_launches.emplace_back(std::vector<int>(streams, 0));
        // streams that do not block would not wait for the zeros
        lockstep::check(cudaDeviceSynchronize());
    }
    std::vector<lockstep::owned_stream> all;
    for (int j = 0; j < streams; ++j) {
        lockstep::check(cudaSetDevice(j % gpus));
        all.emplace_back();
    }
    // [/streams]

    // [threads]
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (int i = t; i < kernels; i += threads) {
                const int j = i % streams;
                // the current device belongs to this thread, and it begins as 0
                lockstep::check(cudaSetDevice(j % gpus));
                count<<<1, 1, 0, all[j]>>>(d_launches[j % gpus].data() + j);
                lockstep::check(cudaGetLastError());
            }
        });
    for (std::thread& worker : workers) worker.join();
    // [/threads]

    int streams_of_gpu = 0;  // those of GPU 0, in use
    int wrong = 0;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        lockstep::check(cudaSetDevice(gpu));
        lockstep::check(cudaDeviceSynchronize());
        const std::vector<int> launches = d_launches[gpu].to_host();
        for (int j = 0; j < streams; ++j) {
            const int expected =
                j % gpus == gpu ? (kernels + streams - 1 - j) / streams : 0;
            wrong += launches[j] != expected;
            streams_of_gpu += gpu == 0 && launches[j] > 0;
        }
    }
    lockstep::report("kernels", kernels);
    lockstep::report("host threads", threads);
    lockstep::report("GPUs", gpus);
    lockstep::report("streams on GPU 0", streams_of_gpu);
    lockstep::report("kernels in stream 0", (kernels + streams - 1) / streams);
    lockstep::report("streams with another count", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
