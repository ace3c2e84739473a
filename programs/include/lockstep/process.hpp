#pragma once
/// @file
/// Running a program again as a child: the only way to go on after a fault on the GPU.

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lockstep {

/// Runs a program and waits for its end. Needs a POSIX system.
/// @param program    path of the program, as in argv[0]
/// @param arguments  as typed after it
/// @return what it printed to standard output, whatever status it ended with
inline std::string output_of(const std::string& program, const std::string& arguments) {
    std::fflush(nullptr);
    std::FILE* pipe =
        popen(("'" + program + "' " + arguments + " 2>/dev/null").c_str(), "r");
    if (!pipe) {
        std::fprintf(stderr, "cannot start %s\n", program.c_str());
        std::exit(EXIT_FAILURE);
    }
    std::string said;
    for (int character = std::fgetc(pipe); character != EOF;
         character = std::fgetc(pipe))
        said += char(character);
    pclose(pipe);
    return said;
}

}  // namespace lockstep
