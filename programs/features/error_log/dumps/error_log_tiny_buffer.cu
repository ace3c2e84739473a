// What does a dump to memory do if not even one message fits into the array? The header
// promises a size of 0 and CUDA_ERROR_INVALID_VALUE, and so it is with 50 bytes. With
// 100, driver r580 writes beyond the array. So guard bytes follow it here. Each size
// has a process of its own.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>  // strsignal
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/driver.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

/// Makes four mistakes, dumps their messages, and prints what the dump did.
/// @param size  bytes that the driver may use
/// @return whether the dump succeeded and kept to its size
bool dump_into(std::size_t size) {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    CUlogIterator place = 0;
    lockstep::check(cuLogsCurrent(&place, 0));
    for (int threads = 2000; threads < 2004; ++threads) nothing<<<1, threads>>>();
    static_cast<void>(cudaGetLastError());  // the launches failed, as intended

    // [dump]
    constexpr char guard = '\xff';  // occurs in no message
    std::vector<char> array(size + 25600, guard);
    std::size_t bytes = size;  // all that the driver may use
    const CUresult result = cuLogsDumpToMemory(&place, array.data(), &bytes, 0);

    const auto end = array.begin() + static_cast<std::ptrdiff_t>(size);
    const auto changed = [](char byte) { return byte != guard; };
    const auto inside = std::count_if(array.begin(), end, changed);
    const auto beyond = std::count_if(end, array.end(), changed);
    // [/dump]
    std::printf("%10zu %13zu %14td %15td   %s\n", size, bytes, inside, beyond,
                lockstep::name_of(result));
    return result == CUDA_SUCCESS && bytes > 0 && beyond == 0;
}

int main() {
    std::printf("%10s %13s %14s %15s   %s\n", "size given", "size reported",
                "bytes in array", "bytes beyond it", "returns");
    bool right = false;
    // [sizes]
    for (const std::size_t size : {25600, 100, 50, 1}) {
        std::fflush(stdout);
        const pid_t child = fork();  // no CUDA call before it: CUDA does not survive it
        if (child < 0) return EXIT_FAILURE;
        if (child == 0) {
            alarm(20);  // ends the child if the call never returns
            const bool fits = dump_into(size);
            std::fflush(stdout);
            _exit(fits ? EXIT_SUCCESS : EXIT_FAILURE);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            std::printf("%10zu   ended by %s\n", size, strsignal(WTERMSIG(status)));
        if (WIFEXITED(status) && WEXITSTATUS(status) == lockstep::no_device_status)
            return lockstep::no_device_status;
        if (size == 25600) right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    // [/sizes]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
