// Four host threads add 48 numbers to six totals: number c belongs to total c % 6, and
// all launches for one total go into one stream, so that they follow each other. The
// starter makes a stream for each launch, inside the threads, and never destroys one.
// Make each stream once, let the threads use it, and destroy it in the end.

#include <cstddef>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/require_device.hpp>

constexpr int threads = 4;
constexpr int stream_count = 6;
constexpr int numbers = 48;

/// Makes and destroys streams, and keeps account of them.
class stream_ledger {
public:
    cudaStream_t create() {
        const std::lock_guard<std::mutex> lock(guard_);
        cudaStream_t stream = nullptr;
        lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        alive_.insert(stream);
        ++created_;
        return stream;
    }
    /// Destroys a stream; what was enqueued in it goes on to the end.
    void destroy(cudaStream_t stream) {
        const std::lock_guard<std::mutex> lock(guard_);
        if (alive_.erase(stream) > 0) lockstep::check(cudaStreamDestroy(stream));
    }
    int created() const { return created_; }
    std::size_t left() const { return alive_.size(); }

private:
    std::mutex guard_;
    std::set<cudaStream_t> alive_;
    int created_ = 0;
};

/// Adds a number to a total, without an atomic operation.
/// @param number  the number
/// @param total   an int in device memory
__global__ void add(int number, int* total) { *total += number; }

/// Runs a function in each of the threads, and waits until all have returned.
template <class Work>
void run_threads(Work&& work) {
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t) workers.emplace_back(work, t);
    for (std::thread& worker : workers) worker.join();
}

int main() {
    lockstep::require_device();

    std::vector<int> expected(stream_count, 0);
    for (int c = 0; c < numbers; ++c) expected[c % stream_count] += c * c + 1;
    lockstep::device_buffer<int> d_totals(std::vector<int>(stream_count, 0));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(add);
    std::vector<cudaStream_t> used(numbers);  // the stream of each number
    const auto enqueue = [&](int c, cudaStream_t stream) {
        used[c] = stream;
        add<<<1, 1, 0, stream>>>(c * c + 1, d_totals.data() + c % stream_count);
        lockstep::check(cudaGetLastError());
    };

    stream_ledger ledger;
    std::vector<cudaStream_t> streams(stream_count);
    // [task]
    for (cudaStream_t& stream : streams) stream = ledger.create();
    run_threads([&](int t) {
        for (int c = t; c < numbers; c += threads)
            enqueue(c, streams[c % stream_count]);
    });
    for (const cudaStream_t stream : streams) ledger.destroy(stream);
    //= given
    //| run_threads([&](int t) {
    //|     for (int c = t; c < numbers; c += threads) {
    //|         streams[c % stream_count] = ledger.create();
    //|         enqueue(c, streams[c % stream_count]);
    //|     }
    //| });
    //= mutant never_destroyed
    //| for (cudaStream_t& stream : streams) stream = ledger.create();
    //| run_threads([&](int t) {
    //|     for (int c = t; c < numbers; c += threads)
    //|         enqueue(c, streams[c % stream_count]);
    //| });
    //= mutant destroyed_each_time
    //| run_threads([&](int t) {
    //|     for (int c = t; c < numbers; c += threads) {
    //|         const cudaStream_t stream = ledger.create();
    //|         enqueue(c, stream);
    //|         ledger.destroy(stream);
    //|     }
    //| });
    //= mutant six_for_each_thread
    //| run_threads([&](int t) {
    //|     std::vector<cudaStream_t> mine(stream_count);
    //|     for (cudaStream_t& stream : mine) stream = ledger.create();
    //|     for (int c = t; c < numbers; c += threads) enqueue(c, mine[c % stream_count]);
    //|     for (const cudaStream_t stream : mine) ledger.destroy(stream);
    //| });
    //= mutant stream_of_thread
    //| for (cudaStream_t& stream : streams) stream = ledger.create();
    //| run_threads([&](int t) {
    //|     for (int c = t; c < numbers; c += threads) enqueue(c, streams[t]);
    //| });
    //| for (const cudaStream_t stream : streams) ledger.destroy(stream);
    // [/task]
    lockstep::check(cudaDeviceSynchronize());

    std::string stray;  // the first number in a stream of another
    for (int c = 0; c < numbers && stray.empty(); ++c)
        if (used[c] != used[c % stream_count])
            stray = "number " + std::to_string(c) + " is not in the stream of number " +
                    std::to_string(c % stream_count);
    const std::set<cudaStream_t> first(used.begin(), used.begin() + stream_count);
    if (stray.empty() && first.size() < stream_count)
        stray = "two of the numbers 0 to 5 share a stream";
    lockstep::exercise_verdict verdict;
    const std::string created = std::to_string(ledger.created()) +
                                " were created: where does create() stand, and how "
                                "often is it called?";
    verdict.holds("streams created", ledger.created() == stream_count, created.c_str());
    verdict.holds("streams destroyed", ledger.left() == 0,
                  "some were never destroyed: who destroys them, and when?");
    verdict.holds("stream of each number", stray.empty(), stray.c_str());
    verdict.equal("totals", d_totals.to_host(), expected);
    return verdict.finish();
}
