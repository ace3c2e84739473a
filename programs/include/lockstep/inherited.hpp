#pragma once
/// @file
/// Variables of the environment for the processes that a program starts.

#include <cstdlib>
#include <string>

namespace lockstep {

/// A variable of the environment for the processes that are started while this object
/// exists. Needs a POSIX system.
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

}  // namespace lockstep
