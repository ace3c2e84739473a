// Is lazy loading enabled in this process? The driver says so once it is initialized.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

int main() {
    // [mode]
    lockstep::check(cuInit(0));
    CUmoduleLoadingMode mode{};
    lockstep::check(cuModuleGetLoadingMode(&mode));
    lockstep::report("loading mode", mode == CU_MODULE_LAZY_LOADING    ? "lazy"
                                     : mode == CU_MODULE_EAGER_LOADING ? "eager"
                                                                       : "unknown");
    // [/mode]
    const bool known =
        mode == CU_MODULE_LAZY_LOADING || mode == CU_MODULE_EAGER_LOADING;
    return known ? EXIT_SUCCESS : EXIT_FAILURE;
}
