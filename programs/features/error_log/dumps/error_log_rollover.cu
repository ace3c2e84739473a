// What if there are more messages than the buffer holds? It keeps the last 100, and a
// dump begins with a note. An iterator from before does not bring back what is lost.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// The lines of a dump.
/// @param place  where to begin, or null for all messages
std::vector<std::string> lines(CUlogIterator* place) {
    std::string log(25600, '\0');
    std::size_t bytes = log.size();
    lockstep::check(cuLogsDumpToMemory(place, log.data(), &bytes, 0));
    std::vector<std::string> all;
    for (std::size_t at = 0; at < bytes; at += all.back().size() + 1)
        all.push_back(log.substr(at, std::min(log.find('\n', at), bytes) - at));
    return all;
}

/// The number of threads that the first refused launch in a dump asked for, or 0.
int oldest_launch(const std::vector<std::string>& dump) {
    for (const std::string& line : dump) {
        const std::size_t at = line.find("dimensions of (");
        if (at != std::string::npos) return std::atoi(line.c_str() + at + 15);
    }
    return 0;
}

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));

    // [launches]
    CUlogIterator begin = 0;
    lockstep::check(cuLogsCurrent(&begin, 0));
    nothing<<<1, 2000>>>();
    const std::size_t one_launch = lines(nullptr).size();
    for (int threads = 2001; threads < 2150; ++threads) nothing<<<1, threads>>>();
    static_cast<void>(cudaGetLastError());  // the launches failed, as intended

    const std::vector<std::string> all = lines(nullptr);
    const std::vector<std::string> from_begin = lines(&begin);
    // [/launches]
    lockstep::report("messages of one launch", one_launch);
    lockstep::report("launches", 150);
    lockstep::report("lines in the dump", all.size());
    lockstep::report("oldest launch in it", oldest_launch(all), "threads");
    lockstep::report("lines from the iterator", from_begin.size());
    lockstep::report("oldest launch from there", oldest_launch(from_begin), "threads");
    if (all.empty() || from_begin.empty()) return EXIT_FAILURE;
    std::printf("first line of the dump:\n%s\n", all[0].c_str());
    std::printf("first line from the iterator:\n%s\n", from_begin[0].c_str());
    return all.size() >= 100 && all.size() < 150 * one_launch ? EXIT_SUCCESS
                                                              : EXIT_FAILURE;
}
