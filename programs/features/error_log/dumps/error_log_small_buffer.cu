// What does a dump to memory do if the array is too small? The header promises a note
// and the newest messages that fit. Driver r580 writes beyond the size that it was
// given, so this program has guard bytes there, and counts those that were overwritten.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    CUlogIterator begin = 0;
    lockstep::check(cuLogsCurrent(&begin, 0));
    for (int threads = 2000; threads < 2004; ++threads) nothing<<<1, threads>>>();
    static_cast<void>(cudaGetLastError());  // the launches failed, as intended

    bool right = false;
    std::string note;
    std::printf("%10s %13s %15s %6s %14s   %s\n", "size given", "size reported",
                "bytes beyond it", "lines", "oldest launch", "returns");
    for (const std::size_t size : {25600, 700, 400}) {
        // [dump]
        constexpr char guard = '\xff';  // occurs in no message
        std::vector<char> array(size + 25600, guard);
        std::size_t bytes = size;  // all that the driver may use
        CUlogIterator place = begin;  // the dump moves it
        const CUresult result = cuLogsDumpToMemory(&place, array.data(), &bytes, 0);

        std::size_t used = array.size();
        while (used > 0 && array[used - 1] == guard) --used;
        const std::size_t beyond = used > size ? used - size : 0;
        // [/dump]
        const auto end = array.begin() + static_cast<std::ptrdiff_t>(used);
        const std::string text(array.begin(), std::find(array.begin(), end, '\0'));
        int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
        lines += !text.empty() && text.back() != '\n';
        const std::size_t at = text.find("dimensions of (");
        const std::string oldest =
            at == std::string::npos ? "none" : text.substr(at + 15, 4);
        std::printf("%10zu %13zu %15zu %6d %14s   %s\n", size, bytes, beyond, lines,
                    oldest.c_str(), lockstep::name_of(result));
        if (size == 25600) right = result == CUDA_SUCCESS && beyond == 0 && lines >= 4;
        if (size == 700 && !text.empty() && text[0] != '[')
            note = text.substr(0, text.find('\n'));
        // a failed dump is logged, too; only the first four launches are of interest
        if (result != CUDA_SUCCESS) break;
    }
    std::printf("first line with 700: %s\n", note.empty() ? "a message" : note.c_str());
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
