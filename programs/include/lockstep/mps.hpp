#pragma once
/// @file
/// What programs about the Multi-Process Service (MPS) need. Linux only, as MPS is.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/stat.h>

#include <lockstep/require_device.hpp>

namespace lockstep {

/// Whether the environment names a folder for the service's pipes.
inline bool mps_offered() { return std::getenv("CUDA_MPS_PIPE_DIRECTORY") != nullptr; }

/// Ends the program with status 77 unless there are a GPU and the service.
inline void require_mps() {
    require_device();
    if (mps_offered()) return;
    std::fprintf(stderr,
                 "this program needs the Multi-Process Service; start it so: "
                 "python3 with_mps.py ./program\n");
    std::exit(no_device_status);
}

/// Folders for a daemon of the service. A second process ends the daemon when this one
/// has ended, however that happens. Where the service is missing, ends the program with
/// status 77.
class mps_folder {
public:
    mps_folder() {
        if (std::system("command -v nvidia-cuda-mps-control >/dev/null 2>&1") != 0) {
            std::fprintf(stderr,
                         "nvidia-cuda-mps-control is missing, which comes with the "
                         "driver on Linux\n");
            std::exit(no_device_status);
        }
        char name[] = "/tmp/mps-XXXXXX";
        if (!mkdtemp(name)) std::exit(EXIT_FAILURE);
        path_ = name;
        mkdir(pipes().c_str(), 0700);
        mkdir(logs().c_str(), 0700);
        // its input ends with this program; programs started later do not inherit it
        const std::string second =
            "exec setsid sh -c 'cd " + path_ +
            " && cat >/dev/null; "
            "echo quit -t 2 | CUDA_MPS_PIPE_DIRECTORY=" +
            pipes() +
            " timeout 10 nvidia-cuda-mps-control; sleep 0.5; "
            "p=$(cat pipe/nvidia-cuda-mps-control.pid) && "
            "grep -q nvidia-cuda-mps /proc/$p/comm && kill $p; rm -rf " +
            path_ + "' >/dev/null 2>&1";
        second_ = popen(second.c_str(), "we");
    }
    mps_folder& operator=(mps_folder&&) = delete;  // and so no copy
    ~mps_folder() {
        if (second_) pclose(second_);  // waits for the end of the daemon
    }

    /// For CUDA_MPS_PIPE_DIRECTORY.
    std::string pipes() const { return path_ + "/pipe"; }
    /// For CUDA_MPS_LOG_DIRECTORY.
    std::string logs() const { return path_ + "/log"; }

private:
    std::string path_;
    std::FILE* second_ = nullptr;
};

}  // namespace lockstep
