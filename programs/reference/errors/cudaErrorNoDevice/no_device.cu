// A machine without a GPU, or with one that the program may not see.

#include <cstdlib>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>

int main() {
    // [ask]
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    // [/ask]
    lockstep::report("there is a GPU", devices > 0);
    return devices > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
