// When does the driver load its compilers? By default when it first needs one. With
// CUDA_FORCE_PRELOAD_LIBRARIES=1 it loads them as it starts. A new process for each
// value initializes the driver and looks which libraries are in its address space.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();  // initializes the driver
    if (child) {
        std::ifstream maps("/proc/self/maps");
        std::printf("%s",
                    std::string(std::istreambuf_iterator<char>(maps), {}).c_str());
        return EXIT_SUCCESS;
    }

    // [compare]
    const std::string by_default = lockstep::output_of(argv[0], "--child");
    const lockstep::inherited preload("CUDA_FORCE_PRELOAD_LIBRARIES", "1");
    const std::string preloaded = lockstep::output_of(argv[0], "--child");
    std::printf("%-32s%-10s%s\n", "library of the driver", "unset", "1");
    bool right = true;
    for (const char* name :
         {"libcuda.so", "libnvidia-ptxjitcompiler.so", "libnvidia-nvvm.so"}) {
        const bool before = by_default.find(name) != std::string::npos;
        const bool after = preloaded.find(name) != std::string::npos;
        std::printf("%-32s%-10s%s\n", name, before ? "loaded" : "-",
                    after ? "loaded" : "-");
        right &= after || !before;  // the variable takes nothing away
    }
    // [/compare]
    return right && by_default.find("libcuda.so") != std::string::npos ? EXIT_SUCCESS
                                                                       : EXIT_FAILURE;
}
