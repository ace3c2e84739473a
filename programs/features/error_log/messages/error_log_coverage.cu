// Which failures does the driver's log leave out? Those that the runtime finds by
// itself may never reach the driver, an answer such as "not ready" is no failure, and a
// fault in a kernel is logged as a status without a cause.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Writes to an address that nothing is allocated at.
/// @param nowhere  the address
__global__ void write(int* nowhere) { *nowhere = 1; }

// [count]
/// The messages since a place in the log, each without time, thread, source and level.
/// @param place  where to begin; moved to the end
std::vector<std::string> messages_since(CUlogIterator& place) {
    std::string log(25600, '\0');
    std::size_t bytes = log.size();
    lockstep::check(cuLogsDumpToMemory(&place, log.data(), &bytes, 0));
    log.resize(bytes);
    std::vector<std::string> messages;
    for (std::size_t at = 0; at < log.size();) {
        std::size_t end = log.find('\n', at);
        if (end == std::string::npos) end = log.size();
        while (at < end && log[at] == '[') at = log.find(']', at) + 1;
        while (at < end && log[at] == ' ') ++at;
        messages.push_back(log.substr(at, end - at));
        at = end + 1;
    }
    return messages;
}
// [/count]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    const lockstep::owned_stream stream;
    lockstep::stream_latch latch;
    CUlogIterator place = 0;
    bool right = true;
    std::printf("%-34s%-30s%s\n", "call", "returns", "messages");
    const auto show = [&](const char* call, cudaError_t status) {
        const std::vector<std::string> messages = messages_since(place);
        std::printf("%-34s%-32s%6zu\n", call, cudaGetErrorName(status),
                    messages.size());
        for (const std::string& message : messages)
            std::printf("  %s\n", message.c_str());
        right &= status != cudaSuccess;
    };

    // [calls]
    lockstep::check(cuLogsCurrent(&place, 0));
    latch.hold(stream);
    show("cudaStreamQuery, work waits", cudaStreamQuery(stream));
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));

    int host_variable = 0;
    void* address = nullptr;
    show("cudaGetSymbolAddress, no symbol",
         cudaGetSymbolAddress(&address, &host_variable));
    show("cudaSetDevice(1000)", cudaSetDevice(1000));
    show("cudaEventRecord, no event", cudaEventRecord(nullptr, stream));
    show("cudaMemcpy, no such direction",
         cudaMemcpy(&host_variable, &host_variable, sizeof(int),
                    static_cast<cudaMemcpyKind>(77)));

    cudaGetLastError();  // cleared: the lines above hold the statuses
    write<<<1, 1>>>(nullptr);  // the launch itself is accepted
    lockstep::check(cudaGetLastError());
    show("kernel faults, synchronize", cudaDeviceSynchronize());
    show("cudaMalloc after the fault", cudaMalloc(&address, 4));
    // [/calls]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
