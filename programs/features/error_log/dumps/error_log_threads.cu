// Is the log one for each thread? No, there is one for the process: a dump holds the
// messages of all threads. The second field of a message tells them apart.

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

// [lines]
/// The number of messages in a dump, of all threads or of one.
/// @param log     the dump
/// @param thread  the second field of the messages to count; all, if it is empty
int messages(const std::string& log, const std::string& thread) {
    int count = 0;
    for (std::size_t at = 0; at < log.size();) {
        const std::size_t field = log.find("][", at) + 2;
        count += thread.empty() || log.compare(field, thread.size(), thread) == 0;
        at = log.find('\n', at);
        at = at == std::string::npos ? log.size() : at + 1;
    }
    return count;
}
// [/lines]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    constexpr int threads = 4;
    CUlogIterator place = 0;
    lockstep::check(cuLogsCurrent(&place, 0));

    // [threads]
    std::vector<std::string> names(threads);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&names, t] {
            names[t] = std::to_string(static_cast<unsigned long>(pthread_self())) + "]";
            for (int i = 0; i <= t; ++i) nothing<<<1, 4096>>>();
        });
    for (std::thread& worker : workers) worker.join();

    std::string log(32768, '\0');  // more than the dump is told, to be safe
    std::size_t bytes = 25600;
    lockstep::check(cuLogsDumpToMemory(&place, log.data(), &bytes, 0));
    log.resize(bytes);
    // [/threads]
    lockstep::report("messages in the dump", messages(log, ""));
    int found = 0;
    for (int t = 0; t < threads; ++t) {
        const int count = messages(log, names[t]);
        const std::string label = "of a thread with " + std::to_string(t + 1);
        lockstep::report(label.c_str(), count);
        found += count;
    }
    return found == messages(log, "") && found >= 10 ? EXIT_SUCCESS : EXIT_FAILURE;
}
