#pragma once
/// @file
/// Checks calls of the run-time compiler NVRTC, as check.hpp does those of the runtime.

#include <nvrtc.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program unless a call of NVRTC succeeded; stop_at() says how.
/// @param result  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(nvrtcResult result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == NVRTC_SUCCESS) return;
    stop_at(false, nvrtcGetErrorString(result), "NVRTC gives a name only", file, line);
}

}  // namespace lockstep
