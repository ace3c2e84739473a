// What does the driver's log add to an error code? Five mistakes, most of which get the
// same code, and what the log says about each.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

// [log]
/// The messages since a place in the log, each without time, thread, source and level.
/// Moves the place to the end.
/// @param place  where to begin
std::string messages_since(CUlogIterator& place) {
    std::string log(25600, '\0');
    std::size_t bytes = log.size();
    lockstep::check(cuLogsDumpToMemory(&place, log.data(), &bytes, 0));
    log.resize(bytes);
    std::string messages;
    for (std::size_t at = 0; at < log.size();) {
        std::size_t end = log.find('\n', at);
        if (end == std::string::npos) end = log.size();
        while (at < end && log[at] == '[') at = log.find(']', at) + 1;
        while (at < end && log[at] == ' ') ++at;
        if (at < end) messages += "  " + log.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return messages;
}
// [/log]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    int* d_memory = nullptr;
    lockstep::check(cudaMalloc(&d_memory, 64 << 20));
    bool right = true;
    CUlogIterator place = 0;
    const auto show = [&](const char* mistake, const char* code) {
        lockstep::report(mistake, code);
        const std::string messages = messages_since(place);
        std::fputs(messages.empty() ? "  (no message)\n" : messages.c_str(), stdout);
        right &= !std::strstr(code, "uccess") && !std::strstr(code, "SUCCESS");
    };

    // [mistakes]
    lockstep::check(cuLogsCurrent(&place, 0));
    nothing<<<1, 4096>>>();  // too many threads in a block
    show("4096 threads", cudaGetErrorName(cudaGetLastError()));

    nothing<<<1, 32, 300 * 1024>>>();  // too much shared memory
    show("300 KiB shared memory", cudaGetErrorName(cudaGetLastError()));

    lockstep::check(cudaFree(d_memory));
    int word = 0;
    show("copy from freed memory",
         cudaGetErrorName(
             cudaMemcpy(&word, d_memory, sizeof word, cudaMemcpyDeviceToHost)));

    void* d_huge = nullptr;
    show("more memory than there is",
         cudaGetErrorName(cudaMalloc(&d_huge, std::size_t(1) << 50)));

    CUmodule module = nullptr;
    const char* no_ptx = "this is not PTX";
    show("module that is no code",
         lockstep::name_of(cuModuleLoadData(&module, no_ptx)));
    // [/mistakes]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
