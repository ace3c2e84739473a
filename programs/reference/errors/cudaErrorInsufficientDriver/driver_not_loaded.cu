// What does the runtime say if the driver's library is missing or too old? The same as
// if it were too old: its version counts as 0.

#include <cstdlib>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>

int main() {
    // [ask]
    int driver = 0;
    int runtime = 0;
    lockstep::check(cudaDriverGetVersion(&driver));
    lockstep::check(cudaRuntimeGetVersion(&runtime));
    lockstep::report("CUDA version of the driver", driver);
    lockstep::report("CUDA version of the runtime", runtime);
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    // [/ask]
    lockstep::report("there is a GPU", devices > 0);
    return devices > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
