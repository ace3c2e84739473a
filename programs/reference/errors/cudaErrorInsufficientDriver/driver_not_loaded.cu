// What does the runtime say if the driver's library is missing? The same as if the
// driver were too old: its version counts as 0.

#include <cstdlib>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool only_versions = options.flag("versions");
    options.finish();

    // [ask]
    int devices = 0;
    if (!only_versions) lockstep::check(cudaGetDeviceCount(&devices));
    int driver = 0;
    int runtime = 0;
    lockstep::check(cudaDriverGetVersion(&driver));
    lockstep::check(cudaRuntimeGetVersion(&runtime));
    lockstep::report("version of the driver", driver);
    lockstep::report("version of the runtime", runtime);
    // [/ask]
    return only_versions || devices > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
