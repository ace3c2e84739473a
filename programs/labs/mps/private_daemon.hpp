#pragma once
/// @file
/// A daemon of the Multi-Process Service (MPS) that ends with the program.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/check.hpp>

namespace mps {

/// Folders for a daemon, and a process that ends it when this program has ended,
/// however that happens. Needs a POSIX system, and the service.
class guarded_folder {
public:
    guarded_folder() {
        if (std::system("command -v nvidia-cuda-mps-control >/dev/null 2>&1") != 0) {
            std::fprintf(stderr,
                         "nvidia-cuda-mps-control is missing, which comes with the "
                         "driver on Linux\n");
            std::exit(lockstep::no_device_status);
        }
        char name[] = "/tmp/mps-XXXXXX";
        if (!mkdtemp(name)) std::exit(EXIT_FAILURE);
        path_ = name;
        if (std::system(("mkdir " + pipes() + " " + logs()).c_str()) != 0)
            std::exit(EXIT_FAILURE);
        // its input ends with this program; programs started later do not inherit it
        const std::string waits =
            "exec setsid sh -c 'cat >/dev/null; echo quit -t 2 | "
            "CUDA_MPS_PIPE_DIRECTORY=" +
            pipes() +
            " timeout 10 nvidia-cuda-mps-control; sleep 0.5; "
            "p=$(cat " +
            pipes() +
            "/nvidia-cuda-mps-control.pid) && "
            "grep -q nvidia-cuda-mps /proc/$p/comm && kill $p; rm -rf " +
            path_ + "' >/dev/null 2>&1";
        guard_ = popen(waits.c_str(), "we");
    }
    guarded_folder& operator=(guarded_folder&&) = delete;  // and so no copy
    ~guarded_folder() {
        if (guard_) pclose(guard_);  // waits for the end of the daemon
    }

    /// For CUDA_MPS_PIPE_DIRECTORY.
    std::string pipes() const { return path_ + "/pipe"; }
    /// For CUDA_MPS_LOG_DIRECTORY.
    std::string logs() const { return path_ + "/log"; }

private:
    std::string path_;
    std::FILE* guard_ = nullptr;
};

}  // namespace mps
