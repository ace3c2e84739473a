// How does a program receive the driver's messages as they appear? It registers a
// function, with a pointer of its own that the driver passes on, and gets a handle that
// unregisters it.

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

// [callback]
/// What the callback collects.
struct messages {
    std::vector<std::string> texts;
    int errors = 0;  ///< messages of level error
    std::thread::id caller;  ///< the thread that ran the callback last
};

/// Copies a message; the driver calls it.
void CUDA_CB collect(void* data, CUlogLevel level, char* message, std::size_t length) {
    auto& all = *static_cast<messages*>(data);
    all.texts.emplace_back(message, length);
    all.errors += level == CU_LOG_LEVEL_ERROR;
    all.caller = std::this_thread::get_id();
}
// [/callback]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));

    // [register]
    messages first, second;
    CUlogsCallbackHandle first_handle = nullptr, second_handle = nullptr;
    const CUlogsCallback function = collect;
    lockstep::check(cuLogsRegisterCallback(function, &first, &first_handle));
    lockstep::check(cuLogsRegisterCallback(function, &second, &second_handle));

    nothing<<<1, 4096>>>();
    const std::size_t before_status = first.texts.size();
    const cudaError_t status = cudaGetLastError();

    lockstep::check(cuLogsUnregisterCallback(second_handle));
    nothing<<<1, 2048>>>();
    lockstep::check(cuLogsUnregisterCallback(first_handle));
    nothing<<<1, 8192>>>();
    static_cast<void>(cudaGetLastError());  // the launches failed, as intended
    // [/register]

    lockstep::report("first launch", cudaGetErrorName(status));
    lockstep::report("messages when it returned", before_status);
    lockstep::report("first: messages", first.texts.size());
    lockstep::report("first: of level error", first.errors);
    lockstep::report("second: messages", second.texts.size());
    lockstep::report("in the launching thread",
                     first.caller == std::this_thread::get_id());
    if (first.texts.empty()) return EXIT_FAILURE;
    std::string message = first.texts[0];
    while (!message.empty() && message.back() == '\n') message.pop_back();
    lockstep::report(
        "text",
        message.substr(message.find_first_not_of(' ', message.rfind(']') + 1)).c_str());
    const bool right =
        first.texts.size() > second.texts.size() && !second.texts.empty();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
