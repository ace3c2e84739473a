// How does one read only the new messages? An iterator marks a place in the log. A dump
// begins there, and moves the iterator to the end, so that the next dump goes on.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// The number of lines of a text.
int lines_of(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n')) +
           (!text.empty() && text.back() != '\n');
}

// [dump]
/// What cuLogsDumpToMemory writes.
/// @param place  where to begin, moved to the end; or null for all messages
std::string dump(CUlogIterator* place) {
    std::string log(32768, '\0');  // more than the dump is told, to be safe
    std::size_t bytes = 25600;
    lockstep::check(cuLogsDumpToMemory(place, log.data(), &bytes, 0));
    log.resize(bytes);
    return log;
}
// [/dump]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));

    // [place]
    nothing<<<1, 4096>>>();
    CUlogIterator place = 0;
    lockstep::check(cuLogsCurrent(&place, 0));
    const CUlogIterator in_between = place;
    nothing<<<1, 2048>>>();

    const std::string all = dump(nullptr);
    const std::string later = dump(&place);
    CUlogIterator end = 0;
    lockstep::check(cuLogsCurrent(&end, 0));
    const std::string again = dump(&place);
    // [/place]
    static_cast<void>(cudaGetLastError());  // the launches failed, as intended

    // [file]
    // from the place between the two launches
    CUlogIterator for_file = in_between;
    lockstep::check(cuLogsDumpToFile(&for_file, "later.txt", 0));
    // [/file]
    std::string file;
    if (std::FILE* opened = std::fopen("later.txt", "r")) {
        for (int c = std::fgetc(opened); c != EOF; c = std::fgetc(opened))
            file += static_cast<char>(c);
        std::fclose(opened);
    }

    CUlogIterator unused = 0;
    const CUresult flagged = cuLogsCurrent(&unused, 1);
    // [mistake]
    std::size_t bytes = 100;
    const CUresult no_buffer = cuLogsDumpToMemory(nullptr, nullptr, &bytes, 0);
    // [/mistake]

    lockstep::report("lines, whole buffer", lines_of(all));
    lockstep::report("lines from the place", lines_of(later));
    lockstep::report("place is the end", place == end);
    lockstep::report("lines, dumped again", lines_of(again));
    lockstep::report("file has the same", file == later);
    lockstep::report("flags = 1", lockstep::name_of(flagged));
    lockstep::report("no buffer", lockstep::name_of(no_buffer));
    std::fputs(dump(&place).c_str(), stdout);
    const bool right = lines_of(later) > 0 && lines_of(all) == 2 * lines_of(later) &&
                       again.empty() && no_buffer != CUDA_SUCCESS;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
