// How many streams get past one that waits? A stream is held at a latch, with work of
// its own queued after it, and 31 other streams get one kernel or one copy each. Work
// that shares a hardware queue with the held stream waits with it, although nothing in
// the program makes it wait. A new process for each setting counts what is complete.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int others = 31;

/// Does nothing.
__global__ void empty() {}

// [held]
/// Holds one stream, gives work to all, and counts the others that complete.
/// @param work  takes the number of a stream, 0 for the held one, and the stream
template <class Work>
int completed_beside_held(Work&& work) {
    const std::vector<lockstep::owned_stream> streams(1 + others);
    lockstep::stream_latch latch;
    latch.hold(streams[0]);
    for (int i = 0; i <= others; ++i) work(i, streams[i]);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    int completed = 0;
    for (int i = 1; i <= others; ++i)
        completed += cudaStreamQuery(streams[i]) == cudaSuccess;
    cudaGetLastError();  // a stream that is not ready left an error
    const bool held = latch.closed();
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    return held ? completed : -1;
}
// [/held]

/// Runs in a new process: prints how many kernels and how many copies completed.
void child() {
    lockstep::load_kernels(empty);
    constexpr std::size_t bytes = 1 << 18;  // of each copy
    lockstep::device_buffer<char> d_bytes((1 + others) * bytes);
    char* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, bytes));
    // [work]
    const int kernels = completed_beside_held([](int, cudaStream_t stream) {
        empty<<<1, 1, 0, stream>>>();
        lockstep::check(cudaGetLastError());
    });
    const int copies = completed_beside_held([&](int i, cudaStream_t stream) {
        lockstep::check(cudaMemcpyAsync(d_bytes.data() + i * bytes, pinned, bytes,
                                        cudaMemcpyHostToDevice, stream));
    });
    // [/work]
    lockstep::check(cudaFreeHost(pinned));
    std::printf("~%-13d~%d", kernels, copies);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool is_child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (is_child) {
        child();
        return EXIT_SUCCESS;
    }

    const auto count = [&](const char* connections, const char* copy_connections) {
        const lockstep::inherited all("CUDA_DEVICE_MAX_CONNECTIONS", connections);
        const lockstep::inherited copies("CUDA_DEVICE_MAX_COPY_CONNECTIONS",
                                         copy_connections);
        const std::string said = lockstep::output_of(argv[0], "--child");
        std::printf("%-18s%-23s%s\n", connections ? connections : "unset",
                    copy_connections ? copy_connections : "unset", said.c_str());
        return std::atoi(said.c_str() + 1);
    };
    std::printf("%-18s%-23s%-14s%s\n", "MAX_CONNECTIONS", "MAX_COPY_CONNECTIONS",
                "kernels past", "copies past");
    // [settings]
    const int by_default = count(nullptr, nullptr);
    const int one = count("1", nullptr);
    count("8", nullptr);
    const int most = count("32", nullptr);
    count(nullptr, "1");
    count(nullptr, "32");
    count("1", "32");
    // [/settings]
    const bool right = 0 <= one && one <= by_default && by_default <= most;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
