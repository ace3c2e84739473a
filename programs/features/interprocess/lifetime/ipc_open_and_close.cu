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
constexpr const char* first_open = "  first time";

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

/// Ends a list of lines.
void send_end(const lockstep::partner& first) { send_call(first, "", cudaSuccess); }
// [/log]

// [open]
/// In the second process: opens a handle in wrong ways, then twice.
/// @param first   gets a line for each call
/// @param handle  of the first process
/// @return where the memory is mapped, in this process
void* open_handle(const lockstep::partner& first, const cudaIpcMemHandle_t& handle) {
    const cudaIpcMemHandle_t nonsense{};
    void* x = nullptr;
    void* again = nullptr;
    void* none = nullptr;
    send_call(first, "  zeros as a handle",
              cudaIpcOpenMemHandle(&none, nonsense, flags));
    send_call(first, "  flags 0", cudaIpcOpenMemHandle(&none, handle, 0));
    send_call(first, first_open, cudaIpcOpenMemHandle(&x, handle, flags));
    send_call(first, "  second time", cudaIpcOpenMemHandle(&again, handle, flags));
    send_end(first);
    first.send(x == again);
    return x;
}
// [/open]

// [close]
/// In the second process: closes what was opened twice, and reads in between.
/// @param first  gets a line for each call
/// @param x      where the memory is mapped, in this process
void read_and_close(const lockstep::partner& first, void* x) {
    const auto read = [x] {
        int seen = 0;
        return cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost);
    };
    send_call(first, "  cudaFree", cudaFree(x));
    send_call(first, "  close an inner address",
              cudaIpcCloseMemHandle(static_cast<char*>(x) + bytes / 2));
    send_call(first, "  close", cudaIpcCloseMemHandle(x));
    send_call(first, "  read", read());
    send_call(first, "  close a second time", cudaIpcCloseMemHandle(x));
    send_call(first, "  read again", read());
    send_call(first, "  close a third time", cudaIpcCloseMemHandle(x));
    send_end(first);
}
// [/close]

// [late]
/// In the second process: opens the handle when the memory has been freed.
/// @param first   gets a line for each call
/// @param handle  of the first process
void open_after_free(const lockstep::partner& first, const cudaIpcMemHandle_t& handle) {
    void* none = nullptr;
    first.receive<int>();  // the memory has been freed
    send_call(first, "  open", cudaIpcOpenMemHandle(&none, handle, flags));
    send_end(first);
}
// [/late]

/// The second process: makes the mistakes.
int make_mistakes(const lockstep::partner& first) {
    const auto handle = first.receive<cudaIpcMemHandle_t>();
    void* x = open_handle(first, handle);
    read_and_close(first, x);
    open_after_free(first, handle);
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
    // [/own]
    cudaGetLastError();  // it was refused, as intended

    bool opened = false;
    const auto print_all = [&] {
        while (true) {
            const auto line = second.receive<output_line>();
            if (line.label[0] == 0) break;
            lockstep::report(line.label, cudaGetErrorName(line.error));
            if (std::string(line.label) == first_open)
                opened = line.error == cudaSuccess;
        }
    };
    std::printf("open\n");
    lockstep::report("  in the same process", cudaGetErrorName(by_itself));
    second.send(handle);
    print_all();
    lockstep::report("  same address both times", second.receive<bool>());
    std::printf("use and close, opened twice\n");
    print_all();
    lockstep::check(cudaFree(x));
    second.send(0);
    std::printf("after the owner has freed it\n");
    print_all();
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
