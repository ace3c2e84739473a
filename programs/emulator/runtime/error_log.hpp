// The driver's error log: what it says of calls that fail, in the words of driver r580.
#pragma once

#include <string>

#include "handles.hpp"
#include "toolkit/cuda.h"

namespace emulator {

// The function of the driver that a call of the runtime comes to, while this lives.
class driver_function {
public:
    explicit driver_function(const char* name);
    ~driver_function();
    driver_function(const driver_function&) = delete;
    driver_function& operator=(const driver_function&) = delete;

private:
    const char* before_;
};

// A reason, and that a function of the driver returns the error: the running one, if that is known.
// Each returns the error.
cudaError_t log_refusal(cudaError_t error, const std::string& reason = "");
cudaError_t log_refusal_by(const char* function, cudaError_t error, const std::string& reason = "");
// A reason alone; or, if it is empty, that the driver hears nothing of the failure.
cudaError_t log_reason(cudaError_t error, const std::string& reason = "");
// A call fails: unless what the log says of that was told, the log is not complete from here on.
void note_failure(cudaError_t error);
uint64_t unknown_failures();  // how often it was so
void failure_is_known();      // by a call within this one

struct log_callback {
    CUlogsCallback function;
    void* data;
};
extern handle_registry<log_callback, CUlogsCallbackHandle> log_callbacks;
bool log_is_heard();  // by a callback
uint64_t log_end();  // how many messages there ever were
// From a place in the log, or its beginning, to its end, with a note where older messages are gone;
// false if the emulator lacks some.
bool dump_log(const char* function, unsigned* place, std::string* text);

}  // namespace emulator
