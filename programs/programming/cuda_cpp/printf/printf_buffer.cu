// How much can a kernel print? As much as fits into a buffer of fixed size. What comes
// when the buffer is full replaces what was written first. One thread prints numbered
// lines; the program runs itself as a child, reads the lines that arrive and counts.

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Prints numbered lines, in order: a single thread runs it.
/// @param lines  how many
__global__ void print_lines(int lines) {
    for (int line = 0; line < lines; ++line) printf("line %d\n", line);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int lines = options.integer("lines", 100'000, 1, 1'000'000);
    const int kib = options.integer("kib", 1024, 1, 1 << 16);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();

    std::size_t by_default = 0;
    std::size_t granted = 0;
    // [limit]
    lockstep::check(cudaDeviceGetLimit(&by_default, cudaLimitPrintfFifoSize));
    lockstep::check(
        cudaDeviceSetLimit(cudaLimitPrintfFifoSize, std::size_t(kib) * 1024));
    lockstep::check(cudaDeviceGetLimit(&granted, cudaLimitPrintfFifoSize));
    // [/limit]
    if (child) {
        print_lines<<<1, 1>>>(lines);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        return EXIT_SUCCESS;
    }

    std::istringstream printed(lockstep::output_of(
        argv[0],
        "--child --lines " + std::to_string(lines) + " --kib " + std::to_string(kib)));
    int arrived = 0;
    int first = -1;
    int last = -1;
    for (std::string word; printed >> word;) {
        if (word == "line") continue;
        last = std::stoi(word);
        if (arrived++ == 0) first = last;
    }
    lockstep::report("buffer size by default", by_default, "bytes");
    lockstep::report("buffer size requested", kib, "KiB");
    lockstep::report("buffer size granted", granted, "bytes");
    lockstep::report("lines printed by kernel", lines);
    if (arrived == lines) {
        lockstep::report("lines that arrived", arrived);
        lockstep::report("number of first line", first);
        lockstep::report("number of last line", last);
    } else {  // which lines are lost depends on when the driver empties the buffer
        lockstep::report("lines that arrived", lockstep::counted{arrived});
        lockstep::report("number of first line", lockstep::counted{first});
        lockstep::report("number of last line", lockstep::counted{last});
    }
    return arrived > 0 && arrived <= lines ? EXIT_SUCCESS : EXIT_FAILURE;
}
