// What does CUDA_DEVICE_WAITS_ON_EXCEPTION=1 do? A child process runs a kernel that
// writes to address 16, and prints the error that its synchronization returned. With
// the variable the GPU may stop at the exception and wait for a debugger, so that the
// child never ends: then its parent kills it after five seconds.

#include <poll.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Writes where no memory is.
/// @param nowhere  an address that belongs to no allocation
__global__ void write_nowhere(volatile int* nowhere) { *nowhere = 1; }
// [/kernel]

// [child]
/// Runs in the child: prints the error that the fault came back as.
void child() {
    write_nowhere<<<1, 1>>>(reinterpret_cast<int*>(16));
    lockstep::check(cudaGetLastError());
    std::printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
    std::fflush(nullptr);
    std::_Exit(EXIT_SUCCESS);  // the context is lost
}
// [/child]

// [parent]
/// Starts this program as a child and waits until it prints or ends.
/// @param program  path of this program
/// @param seconds  after which the child is killed
/// @return what the child printed, or how it ended without printing
std::string fate_of_child(const char* program, int seconds) {
    int ends[2];
    if (pipe(ends) != 0) std::exit(EXIT_FAILURE);
    std::fflush(nullptr);
    const pid_t id = fork();
    if (id == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(program, program, "--child", nullptr);
        std::_Exit(EXIT_FAILURE);
    }
    close(ends[1]);
    pollfd reader{ends[0], POLLIN, 0};
    const bool in_time = poll(&reader, 1, seconds * 1000) == 1;
    if (!in_time) kill(id, SIGKILL);
    char said[80] = "";
    const ssize_t length = in_time ? read(ends[0], said, sizeof said - 1) : 0;
    close(ends[0]);
    int status = 0;
    waitpid(id, &status, 0);
    if (!in_time) return "killed after " + std::to_string(seconds) + " s";
    if (length > 0) return said;
    return WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status))
                               : "status " + std::to_string(WEXITSTATUS(status));
}
// [/parent]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool is_child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (is_child) child();

    // [compare]
    const std::string by_default = fate_of_child(argv[0], 30);
    const lockstep::inherited waits("CUDA_DEVICE_WAITS_ON_EXCEPTION", "1");
    const std::string waiting = fate_of_child(argv[0], 5);
    // [/compare]
    lockstep::report("child, variable unset", by_default.c_str());
    lockstep::report("child, variable 1", waiting.c_str());
    return by_default == "cudaErrorIllegalAddress" ? EXIT_SUCCESS : EXIT_FAILURE;
}
