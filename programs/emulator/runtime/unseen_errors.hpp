// Errors of launches by <<<>>>, which return nothing: who never asks for them does not learn of
// them, and is told when the program ends.
#pragma once

#include "runtime.hpp"

namespace emulator {

struct launch_line {
    const char* file = nullptr;
    int line = 0;
};

void begin_launch_without_result(const launch_line& place);
void end_launch(cudaError_t error);  // of either kind; success also if the error is told elsewhere
void errors_were_seen();  // by cudaGetLastError, cudaPeekAtLastError, or a look into the error log

}  // namespace emulator
