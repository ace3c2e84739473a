#pragma once
/// @file
/// One error and its fix, side by side: what the programs of the error reference share.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Runs the wrong version, or with `--fixed` the right one, and prints the error that
/// it returned.
/// @param argc      of main
/// @param argv      of main
/// @param expected  what the wrong version returns; the right one returns cudaSuccess
/// @param wrong     makes the mistake
/// @param fixed     does the same without it
/// @return exit status for main: success if that error came and no other
inline int expect_error(int argc, char** argv, cudaError_t expected,
                        cudaError_t (*wrong)(), cudaError_t (*fixed)()) {
    command_line options(argc, argv);
    const bool right = options.flag("fixed");
    options.finish();
    require_device();
    const cudaError_t found = right ? fixed() : wrong();
    report("error", cudaGetErrorName(found));
    report("number", static_cast<int>(found));
    report("description", cudaGetErrorString(found));
    return found == (right ? cudaSuccess : expected) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace lockstep
