// What does it cost to open another process's handle, and to close it? The second
// process opens and closes handles of memory of four sizes, and times the calls. A
// program that keeps a handle open pays this once, and not for each message.

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int sizes_mib[] = {2, 32, 512, 4096};
constexpr int runs = 20;

/// What the second process answers for a handle.
struct answer {
    double open_us, close_us;
    int found;  // the first word of the memory
};

/// The second process: opens and closes each handle that it receives.
int open_and_close(const lockstep::partner& first) {
    lockstep::check(cudaFree(nullptr));  // creates the context
    for ([[maybe_unused]] const int mib : sizes_mib) {
        const auto handle = first.receive<cudaIpcMemHandle_t>();
        answer told{};
        std::vector<double> opened, closed;
        for (int run = -2; run < runs; ++run) {
            // [open]
            void* x = nullptr;
            const auto begin = std::chrono::steady_clock::now();
            lockstep::check(
                cudaIpcOpenMemHandle(&x, handle, cudaIpcMemLazyEnablePeerAccess));
            const auto open = std::chrono::steady_clock::now();
            lockstep::check(
                cudaMemcpy(&told.found, x, sizeof told.found, cudaMemcpyDeviceToHost));
            const auto used = std::chrono::steady_clock::now();
            lockstep::check(cudaIpcCloseMemHandle(x));
            const auto end = std::chrono::steady_clock::now();
            // [/open]
            if (run < 0) continue;
            using ms = std::chrono::duration<double, std::milli>;
            opened.push_back(ms(open - begin).count());
            closed.push_back(ms(end - used).count());
        }
        told.open_us = 1e3 * lockstep::summarize(opened).median_ms;
        told.close_us = 1e3 * lockstep::summarize(closed).median_ms;
        first.send(told);
    }
    return EXIT_SUCCESS;
}

/// The first process: owns the memory.
int offer(lockstep::partner second) {
    bool right = true;
    for (const int mib : sizes_mib) {
        const std::size_t bytes = std::size_t(mib) << 20;
        char* x = nullptr;
        lockstep::check(cudaMalloc(&x, bytes));
        lockstep::check(cudaMemcpy(x, &mib, sizeof mib, cudaMemcpyHostToDevice));
        cudaIpcMemHandle_t handle{};
        lockstep::check(cudaIpcGetMemHandle(&handle, x));
        second.send(handle);
        const auto told = second.receive<answer>();
        lockstep::check(cudaFree(x));
        right = right && told.found == mib;
        const std::string size = std::to_string(mib) + " MiB: ";
        lockstep::report((size + "open").c_str(), lockstep::measured{told.open_us},
                         "us");
        lockstep::report((size + "close").c_str(), lockstep::measured{told.close_us},
                         "us");
    }
    right = second.end() == 0 && right;
    lockstep::report("memory seen", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return open_and_close(lockstep::partner(socket));
    return offer(lockstep::partner(argv[0]));
}
