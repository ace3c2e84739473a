// What does a lookup do with a null pointer, in place of the name or of the place for
// the address? By the guide, a null place is a usage error, which is returned. With
// driver r580 each of them ends the process, so each call runs in a child process, and
// the parent prints how the child ended.

#include <cstdio>
#include <cstdlib>
#include <cstring>  // strsignal
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include <cudaTypedefs.h>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr char name[] = "cuDeviceGetCount";  // the same form since CUDA 2.0
constexpr int version = 2000;

// [child]
/// Runs one call in a child process, which prints what the call returned.
/// @param label  of the line
/// @param call   takes a place for an address, and returns an error
/// @return whether the child came to its end and had an address
template <class Call>
bool try_in_child(const char* label, Call call) {
    std::fflush(stdout);  // or the child prints it again
    const pid_t child = fork();
    if (child < 0) std::exit(EXIT_FAILURE);
    if (child == 0) {
        alarm(20);  // ends the child if the call never returns
        lockstep::require_device();
        void* found = nullptr;
        std::string answer = cudaGetErrorName(call(&found));
        answer += found ? ", address" : ", no address";
        lockstep::report(label, answer.c_str());
        std::fflush(stdout);
        _exit(found ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int end = 0;
    waitpid(child, &end, 0);
    if (WIFSIGNALED(end))
        lockstep::report(label,
                         (std::string("ended by ") + strsignal(WTERMSIG(end))).c_str());
    if (WIFEXITED(end) && WEXITSTATUS(end) == lockstep::no_device_status)
        std::exit(lockstep::no_device_status);
    return WIFEXITED(end) && WEXITSTATUS(end) == EXIT_SUCCESS;
}
// [/child]

/// Looks up with the driver's own function.
/// @param symbol  name, or null
/// @param place   where the address is stored, or null
cudaError_t ask_driver(const char* symbol, void** place) {
    void* address = nullptr;
    lockstep::check(cudaGetDriverEntryPointByVersion("cuGetProcAddress", &address,
                                                     12000, cudaEnableDefault));
    const auto get_address = reinterpret_cast<PFN_cuGetProcAddress_v12000>(address);
    if (!get_address) std::exit(EXIT_FAILURE);
    CUdriverProcAddressQueryResult status{};
    return static_cast<cudaError_t>(
        get_address(symbol, place, version, CU_GET_PROC_ADDRESS_DEFAULT, &status));
}

/// Looks up with the runtime's function.
/// @param symbol  name, or null
/// @param place   where the address is stored, or null
cudaError_t ask_runtime(const char* symbol, void** place) {
    cudaDriverEntryPointQueryResult status{};
    return cudaGetDriverEntryPointByVersion(symbol, place, version, cudaEnableDefault,
                                            &status);
}

int main() {
    // no CUDA call here: CUDA does not survive a fork
    // [calls]
    const bool driver = try_in_child(
        "driver, both given", [](void** found) { return ask_driver(name, found); });
    try_in_child("driver, null place",
                 [](void**) { return ask_driver(name, nullptr); });
    try_in_child("driver, null name",
                 [](void** found) { return ask_driver(nullptr, found); });

    const bool runtime = try_in_child(
        "runtime, both given", [](void** found) { return ask_runtime(name, found); });
    try_in_child("runtime, null place",
                 [](void**) { return ask_runtime(name, nullptr); });
    try_in_child("runtime, null name",
                 [](void** found) { return ask_runtime(nullptr, found); });
    // [/calls]
    return driver && runtime ? EXIT_SUCCESS : EXIT_FAILURE;
}
