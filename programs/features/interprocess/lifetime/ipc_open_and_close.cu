// What happens if a handle is opened twice, closed too often, opened by its own
// process, or opened after the memory was freed? The second process makes these
// mistakes, one after the other, and the first one prints what each call returned.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = std::size_t(2) << 20;
constexpr unsigned flags = cudaIpcMemLazyEnablePeerAccess;

// [log]
/// One line of output, sent by the second process and printed by the first.
struct output_line {
    char label[lockstep::label_width];  ///< empty in the last message
    cudaError_t error;                  ///< what the call returned
};

/// Sends what a call returned, and forgets the error.
void send_call(const lockstep::partner& first, const char* label, cudaError_t error) {
    output_line sent{{}, error};
    std::snprintf(sent.label, sizeof sent.label, "%s", label);
    cudaGetLastError();  // its status is sent; no later check shall find it
    first.send(sent);
}
// [/log]

/// The second process: makes the mistakes.
int make_mistakes(const lockstep::partner& first) {
    const auto handle = first.receive<cudaIpcMemHandle_t>();
    const cudaIpcMemHandle_t nonsense{};
    void* x = nullptr;
    void* again = nullptr;
    void* none = nullptr;
    int seen = 0;
    const auto read = [&] {
        return cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost);
    };
    // [open]
    send_call(first, "open: zeros as a handle",
              cudaIpcOpenMemHandle(&none, nonsense, flags));
    send_call(first, "open: flags 0", cudaIpcOpenMemHandle(&none, handle, 0));
    send_call(first, "open", cudaIpcOpenMemHandle(&x, handle, flags));
    send_call(first, "open a second time", cudaIpcOpenMemHandle(&again, handle, flags));
    const bool same = x == again;
    // [/open]
    // [close]
    send_call(first, "cudaFree", cudaFree(x));
    send_call(first, "close: inner address",
              cudaIpcCloseMemHandle(static_cast<char*>(x) + bytes / 2));
    send_call(first, "close", cudaIpcCloseMemHandle(x));
    send_call(first, "read", read());
    send_call(first, "close a second time", cudaIpcCloseMemHandle(x));
    send_call(first, "read again", read());
    send_call(first, "close a third time", cudaIpcCloseMemHandle(x));
    // [/close]
    send_call(first, "", cudaSuccess);
    first.send(same);
    // [late]
    first.receive<int>();  // the memory has been freed
    send_call(first, "open: after the free",
              cudaIpcOpenMemHandle(&none, handle, flags));
    // [/late]
    send_call(first, "", cudaSuccess);
    return EXIT_SUCCESS;
}

/// The first process: exports, and prints what the second one tells.
int export_and_print(lockstep::partner second) {
    void* x = nullptr;
    void* own = nullptr;
    cudaIpcMemHandle_t handle{};
    lockstep::check(cudaMalloc(&x, bytes));
    lockstep::check(cudaIpcGetMemHandle(&handle, x));
    // [own]
    const cudaError_t by_itself = cudaIpcOpenMemHandle(&own, handle, flags);
    lockstep::report("open: in the same process", cudaGetErrorName(by_itself));
    // [/own]
    cudaGetLastError();  // it was refused, as intended

    bool opened = false;
    const auto print_all = [&] {
        while (true) {
            const auto line = second.receive<output_line>();
            if (line.label[0] == 0) break;
            lockstep::report(line.label, cudaGetErrorName(line.error));
            if (std::string(line.label) == "open") opened = line.error == cudaSuccess;
        }
    };
    second.send(handle);
    print_all();
    const bool same = second.receive<bool>();
    lockstep::check(cudaFree(x));
    second.send(0);
    print_all();
    lockstep::report("both opens, same address", same);
    const int status = second.end();
    return opened && by_itself != cudaSuccess && status == 0 ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return make_mistakes(lockstep::partner(socket));
    return export_and_print(lockstep::partner(argv[0]));
}
