// Three host threads send 24 messages to the GPU through two pinned buffers, which a
// pool lends them. A copy returns before it has read its buffer, so a buffer that comes
// back may not be lent at once; yet a thread that gives one back must not wait. The
// starter lends it at once. Let the pool note how far the stream must be, and wait only
// when it lends.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int threads = 3;
constexpr int buffers = 2;
constexpr int messages = 24;
constexpr int words = 64;  // of a message

/// A buffer of a pool, in pinned memory.
struct pinned_buffer {
    int* data = nullptr;
    lockstep::owned_event copied{cudaEventDisableTiming};  ///< for the pool's own use
};

/// Lends pinned buffers to threads.
class pinned_pool {
public:
    pinned_pool() : all_(buffers) {
        for (pinned_buffer& buffer : all_) {
            lockstep::check(cudaMallocHost(&buffer.data, words * sizeof(int)));
            free_.push_back(&buffer);
        }
    }
    pinned_pool& operator=(pinned_pool&&) = delete;  // and so no copy
    ~pinned_pool() {
        for (pinned_buffer& buffer : all_) cudaFreeHost(buffer.data);
    }

    /// Lends a buffer that no copy reads any more; waits until there is one.
    pinned_buffer* take() {
        pinned_buffer* buffer = oldest();
        // [task-take]
        lockstep::check(cudaEventSynchronize(buffer->copied));
        //= given
        //| // May the caller write into this buffer already?
        //= mutant asks_once
        //| cudaEventQuery(buffer->copied);
        // [/task-take]
        return buffer;
    }
    /// Takes a buffer back, whose last copy was enqueued; does not wait for it.
    /// @param buffer  the buffer
    /// @param stream  where the copy was enqueued
    void give_back(pinned_buffer* buffer, cudaStream_t stream) {
        // [task-give-back]
        lockstep::check(cudaEventRecord(buffer->copied, stream));
        //= given
        //| (void)stream;  // What does take() have to know of it?
        //= mutant default_stream
        //| (void)stream;
        //| lockstep::check(cudaEventRecord(buffer->copied));
        //= mutant waits_at_once
        //| lockstep::check(cudaStreamSynchronize(stream));
        // [/task-give-back]
        const std::lock_guard<std::mutex> lock(guard_);
        free_.push_back(buffer);
        returned_.notify_one();
    }

private:
    /// The buffer that came back first of those that are not lent.
    pinned_buffer* oldest() {
        std::unique_lock<std::mutex> lock(guard_);
        returned_.wait(lock, [&] { return !free_.empty(); });
        pinned_buffer* buffer = free_.front();
        free_.pop_front();
        return buffer;
    }

    std::vector<pinned_buffer> all_;
    std::deque<pinned_buffer*> free_;
    std::mutex guard_;
    std::condition_variable returned_;
};

int main() {
    lockstep::require_device();

    std::vector<int> expected(messages * words);
    for (int i = 0; i < messages * words; ++i)
        expected[i] = i / words * 1000 + i % words;
    lockstep::device_buffer<int> d_messages(std::vector<int>(messages * words, -1));
    lockstep::check(cudaDeviceSynchronize());
    const std::vector<lockstep::owned_stream> streams(threads);
    pinned_pool pool;
    lockstep::stream_latch latch;
    for (const lockstep::owned_stream& stream : streams) latch.hold(stream);

    std::vector<int> returned_early(threads, 0);  // while the copies could not begin
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (int m = t; m < messages; m += threads) {
                pinned_buffer* buffer = pool.take();
                for (int i = 0; i < words; ++i) buffer->data[i] = m * 1000 + i;
                lockstep::check(cudaMemcpyAsync(d_messages.data() + m * words,
                                                buffer->data, words * sizeof(int),
                                                cudaMemcpyHostToDevice, streams[t]));
                pool.give_back(buffer, streams[t]);
                returned_early[t] += latch.closed();
            }
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    latch.open();
    for (std::thread& worker : workers) worker.join();
    lockstep::check(cudaDeviceSynchronize());

    int early = 0;
    for (const int count : returned_early) early += count;
    lockstep::exercise_verdict verdict;
    verdict.holds(
        "giving back does not wait", early >= buffers,
        "give_back() waited for the GPU: which call does not return at once?");
    const std::vector<int> found = d_messages.to_host();
    std::string lost;  // the first message that arrived wrong
    for (int i = 0; i < messages * words && lost.empty(); ++i)
        if (found[i] != expected[i])
            lost = "message " + std::to_string(i / words) + " has words of message " +
                   std::to_string(found[i] / 1000) +
                   ": its buffer was lent again before the copy had read it";
    verdict.holds("messages", lost.empty(), lost.c_str());
    return verdict.finish();
}
