// What does CUDA_DEVICE_WAITS_ON_EXCEPTION=1 do? A child process runs a kernel that
// writes to address 16. By default the next synchronization returns an error and the
// child ends. With the variable the GPU stops at the exception and waits for a
// debugger, so the child never ends: its parent waits five seconds and kills it.

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes where no memory is.
/// @param nowhere  an address that belongs to no allocation
__global__ void write_nowhere(volatile int* nowhere) { *nowhere = 1; }
// [/kernel]

/// Runs in the child.
/// @return exit status: success if the fault came back as an error
int child() {
    write_nowhere<<<1, 1>>>(reinterpret_cast<int*>(16));
    lockstep::check(cudaGetLastError());
    const bool reported = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
    std::_Exit(reported ? EXIT_SUCCESS : EXIT_FAILURE);  // the context is lost
}

// [parent]
/// Starts this program as a child and waits for its end, at most so long.
/// @param program   path of this program
/// @param patience  after which the child is killed
/// @return "ended" or "halted", or "failed" if the child saw no error
const char* fate_of_child(const char* program, std::chrono::milliseconds patience) {
    using clock = std::chrono::steady_clock;
    std::fflush(nullptr);
    const pid_t id = fork();
    if (id == 0) {
        execl(program, program, "--child", nullptr);
        std::_Exit(EXIT_FAILURE);
    }
    int status = 0;
    const auto end = clock::now() + patience;
    while (clock::now() < end) {
        if (waitpid(id, &status, WNOHANG) == id)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ended" : "failed";
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(id, SIGKILL);
    waitpid(id, &status, 0);
    return "halted";
}
// [/parent]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool is_child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (is_child) return child();

    // [compare]
    const char* by_default = fate_of_child(argv[0], std::chrono::seconds(30));
    const lockstep::inherited waits("CUDA_DEVICE_WAITS_ON_EXCEPTION", "1");
    const char* waiting = fate_of_child(argv[0], std::chrono::seconds(5));
    // [/compare]
    lockstep::report("child, variable unset", by_default);
    lockstep::report("child, variable 1", waiting);
    return by_default[0] == 'e' && waiting[0] == 'h' ? EXIT_SUCCESS : EXIT_FAILURE;
}
