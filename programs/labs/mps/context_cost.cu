// How much memory of the GPU does a process need before it allocates anything? The
// parent compares the memory in use before and after a child has launched its first
// kernel: without the Multi-Process Service, as its client, with a larger stack for
// each thread, and with fewer SMs.

#include <chrono>
#include <cstdlib>
#include <thread>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>

/// The first kernel: loads the program's code.
__global__ void first() {}

/// A child: makes a context with a stack of some bytes for each thread.
int make_context(const lockstep::partner& parent) {
    const auto stack_bytes = parent.receive<std::size_t>();
    // [context]
    if (stack_bytes)
        lockstep::check(cudaDeviceSetLimit(cudaLimitStackSize, stack_bytes));
    first<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/context]
    std::size_t limit = 0;
    lockstep::check(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    parent.send(limit);
    parent.receive<int>();  // measured
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return make_context(lockstep::partner(socket));
    lockstep::require_mps();

    int sms = 0, threads = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
    const struct {
        const char* label;
        bool alone;
        const char* percentage;
        std::size_t stack_bytes;  // 0 for the default
    } cases[] = {
        {"alone", true, nullptr, 0},
        {"alone, stack 8 KiB", true, nullptr, 8192},
        {"client", false, nullptr, 0},
        {"client, stack 8 KiB", false, nullptr, 8192},
        {"client, 50 % of SMs", false, "50", 0},
        {"client, 10 % of SMs", false, "10", 0},
    };
    const std::size_t before = lockstep::memory_in_use();
    std::size_t stack_bytes = 0;
    bool right = true;
    for (const auto& one : cases) {
        // [measure]
        const lockstep::inherited pipes("CUDA_MPS_PIPE_DIRECTORY",
                                        one.alone ? "/nonexistent" : nullptr);
        const lockstep::inherited share("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                                        one.percentage);
        lockstep::partner child(argv[0]);
        child.send(one.stack_bytes);
        const auto limit = child.receive<std::size_t>();
        const auto bytes = double(lockstep::memory_in_use()) - double(before);
        // [/measure]
        child.send(0);
        right = child.end() == 0 && bytes > 0 && right;
        if (!stack_bytes) {
            stack_bytes = limit;
            lockstep::report("stack of a thread", limit, "B");
            lockstep::report("stacks of all threads", limit * sms * threads >> 20,
                             "MiB");
        }
        lockstep::report(one.label, lockstep::measured{bytes / (1 << 20)}, "MiB");
        // what the child used is given back soon after its end
        for (int i = 0; i < 100 && lockstep::memory_in_use() > before; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
