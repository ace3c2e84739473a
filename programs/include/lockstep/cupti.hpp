#pragma once
/// @file
/// Checks calls of CUPTI, as check.hpp does those of the runtime.

#include <cupti.h>

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program unless a call of CUPTI succeeded; stop_at() says how.
/// @param result  what the call returned
/// @param file, line  place of the call; leave them out
inline void check(CUptiResult result, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (result == CUPTI_SUCCESS) return;
    const char* name = nullptr;
    if (cuptiGetResultString(result, &name) != CUPTI_SUCCESS) name = "unknown result";
    const char* description = nullptr;
    if (cuptiGetErrorMessage(result, &description) != CUPTI_SUCCESS)
        description = "CUPTI does not describe it";
    stop_at(false, name, description, file, line);
}

}  // namespace lockstep
