#pragma once
/// @file
/// What the programs about the Multi-Process Service (MPS) share.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/require_device.hpp>

namespace mps {

/// Whether the environment names a daemon, as with_mps.py has it.
inline bool offered() { return std::getenv("CUDA_MPS_PIPE_DIRECTORY") != nullptr; }

/// Ends the program with status 77 unless there are a GPU and the service.
inline void require_service() {
    lockstep::require_device();
    if (offered()) return;
    std::fprintf(stderr,
                 "this program needs the Multi-Process Service; start it so: "
                 "python3 with_mps.py ./program\n");
    std::exit(lockstep::no_device_status);
}

/// A variable of the environment for the processes that are started meanwhile.
class inherited {
public:
    /// @param name   of the variable
    /// @param value  its value, or null to leave the environment as it is
    inherited(const char* name, const char* value) : name_(value ? name : "") {
        if (!value) return;
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    inherited& operator=(inherited&&) = delete;  // and so no copy
    ~inherited() {
        if (name_.empty()) return;
        if (before_.empty())
            unsetenv(name_.c_str());
        else
            setenv(name_.c_str(), before_.c_str(), 1);
    }

private:
    std::string name_;
    std::string before_;
};

}  // namespace mps
