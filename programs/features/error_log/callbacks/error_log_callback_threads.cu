// Which thread runs the callback if several host threads make mistakes at the same
// time? With driver r580, the one that made the mistake, before its call returns. What
// a callback writes needs a lock, or an atomic.

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/driver.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Does nothing.
__global__ void nothing() {}

// [callback]
thread_local int mine = 0;  // messages of calls of this thread

/// What all threads share.
struct tally {
    std::atomic<int> all{0};     ///< messages
    std::atomic<int> inside{0};  ///< callbacks that run at this moment
    std::atomic<int> most{0};    ///< largest number that ran at one moment
};

/// Counts a message, and takes a while; the driver calls it.
void CUDA_CB count(void* data, CUlogLevel, char*, std::size_t) {
    auto& shared = *static_cast<tally*>(data);
    ++mine;
    ++shared.all;
    const int now = ++shared.inside;
    int most = shared.most;
    while (now > most && !shared.most.compare_exchange_weak(most, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --shared.inside;
}
// [/callback]

int main() {
    lockstep::require_device();
    lockstep::check(cudaSetDevice(0));
    constexpr int threads = 4, launches = 25;
    tally shared;
    CUlogsCallbackHandle handle = nullptr;
    lockstep::check(cuLogsRegisterCallback(count, &shared, &handle));

    // [threads]
    const auto begin = std::chrono::steady_clock::now();
    std::vector<int> messages(threads);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&messages, t] {
            for (int i = 0; i < launches; ++i) nothing<<<1, 4096>>>();
            messages[t] = mine;
        });
    for (std::thread& worker : workers) worker.join();
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - begin;
    // [/threads]
    lockstep::check(cuLogsUnregisterCallback(handle));

    lockstep::report("threads", threads);
    lockstep::report("refused launches of each", launches);
    bool right = true;
    int sum = 0;
    for (const int count : messages) {
        right &= count == messages[0] && count >= launches;
        sum += count;
    }
    lockstep::report("messages in each thread", messages[0]);
    lockstep::report("the same in all", right);
    lockstep::report("messages in all", shared.all.load());
    lockstep::report("most callbacks at once", lockstep::counted{shared.most.load()});
    lockstep::report("time of all threads", lockstep::measured{elapsed.count()}, "ms");
    return right && sum == shared.all ? EXIT_SUCCESS : EXIT_FAILURE;
}
