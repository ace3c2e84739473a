// When does the driver load its compilers? By default when it first needs one. With
// CUDA_FORCE_PRELOAD_LIBRARIES=1 it loads them as it starts. A new process for each
// value initializes the driver and lists NVIDIA's libraries in its address space.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

/// The libraries of the driver that a new process has loaded.
/// @param program  path of this program
std::set<std::string> libraries_of_child(const char* program) {
    const std::string maps = lockstep::output_of(program, "--child");
    const std::regex name("/(lib(cuda|nvidia)[^/\\s]*)[.]so");
    std::set<std::string> all;
    for (std::sregex_iterator one(maps.begin(), maps.end(), name), end; one != end;
         ++one)
        all.insert((*one)[1]);
    return all;
}

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
    const std::set<std::string> by_default = libraries_of_child(argv[0]);
    const lockstep::inherited preload("CUDA_FORCE_PRELOAD_LIBRARIES", "1");
    const std::set<std::string> preloaded = libraries_of_child(argv[0]);
    std::set<std::string> either = by_default;
    either.insert(preloaded.begin(), preloaded.end());
    std::printf("%-32s%-10s%s\n", "library of the driver", "unset", "1");
    for (const std::string& name : either)
        std::printf("%-32s%-10s%s\n", name.c_str(),
                    by_default.count(name) ? "loaded" : "-",
                    preloaded.count(name) ? "loaded" : "-");
    // [/compare]
    const bool right = by_default.count("libcuda") && preloaded == either;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
