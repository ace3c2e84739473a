// A host thread launches kernels that write four arrays; another launches kernels that
// add them up, in another stream. The sums may begin when their array is complete, but
// neither thread may wait for the GPU. The starter orders nothing. Let the threads hand
// over an event for each array.

#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int arrays = 4;
constexpr int n = 256;

/// Tells another thread of the host that something has happened.
class host_signal {
public:
    void raise() { promise_.set_value(); }
    /// Waits until it is raised, for a second at most.
    void wait() {
        const auto second = std::chrono::seconds(1);
        in_vain_ = promise_.get_future().wait_for(second) != std::future_status::ready;
    }
    bool in_vain() const { return in_vain_; }

private:
    std::promise<void> promise_;
    bool in_vain_ = false;
};

/// Writes an array, a tenth of a millisecond after it began.
/// @param array  its number
/// @param x      n ints in device memory, written
__global__ void produce(int array, int* x) {
    if (threadIdx.x == 0) lockstep::busy_wait(100'000);
    __syncthreads();
    x[threadIdx.x] = (array + 1) * static_cast<int>(threadIdx.x) + 7;
}

/// Adds an array up.
/// @param x    n ints in device memory
/// @param sum  an int in device memory, 0 at first
__global__ void consume(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }

int main() {
    lockstep::require_device();

    std::vector<int> expected(arrays, 0);
    for (int a = 0; a < arrays; ++a)
        for (int i = 0; i < n; ++i) expected[a] += (a + 1) * i + 7;
    lockstep::device_buffer<int> d_x(std::vector<int>(arrays * n, 0));
    lockstep::device_buffer<int> d_sums(std::vector<int>(arrays, 0));
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(produce, consume);
    const lockstep::owned_stream first, second;
    std::vector<lockstep::owned_event> written;
    for (int a = 0; a < arrays; ++a) written.emplace_back(cudaEventDisableTiming);
    std::vector<host_signal> recorded(arrays);
    lockstep::stream_latch latch;
    latch.hold(first);  // nothing is produced until both threads have returned

    std::thread producer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        for (int a = 0; a < arrays; ++a) {
            produce<<<1, n, 0, first>>>(a, d_x.data() + a * n);
            lockstep::check(cudaGetLastError());
            // [task-producer]
            lockstep::check(cudaEventRecord(written[a], first));
            recorded[a].raise();
            //= given
            //| // Which event says that array a is complete? Who has to learn of it?
            //= mutant recorded_too_late
            //| recorded[a].raise();
            //| std::this_thread::sleep_for(std::chrono::milliseconds(30));
            //| lockstep::check(cudaEventRecord(written[a], first));
            //= mutant recorded_in_the_other_stream
            //| lockstep::check(cudaEventRecord(written[a], second));
            //| recorded[a].raise();
            //= mutant producer_waits
            //| lockstep::check(cudaStreamSynchronize(first));
            //| lockstep::check(cudaEventRecord(written[a], first));
            //| recorded[a].raise();
            // [/task-producer]
        }
    });
    std::thread consumer([&] {
        for (int a = 0; a < arrays; ++a) {
            // [task-consumer]
            recorded[a].wait();
            lockstep::check(cudaStreamWaitEvent(second, written[a]));
            //= given
            //| // What must the second stream wait for?
            //= mutant waits_before_the_record
            //| lockstep::check(cudaStreamWaitEvent(second, written[a]));
            //= mutant consumer_waits
            //| recorded[a].wait();
            //| lockstep::check(cudaEventSynchronize(written[a]));
            //= mutant only_the_threads_are_ordered
            //| recorded[a].wait();
            //= mutant waits_for_the_first_array
            //| recorded[a].wait();
            //| lockstep::check(cudaStreamWaitEvent(second, written[0]));
            // [/task-consumer]
            consume<<<1, n, 0, second>>>(d_x.data() + a * n, d_sums.data() + a);
            lockstep::check(cudaGetLastError());
        }
    });
    producer.join();
    consumer.join();
    const bool in_time = latch.closed();
    bool early = false;  // whether the second stream was done before the first began
    for (int i = 0; i < 20; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        early = early || (latch.closed() && cudaStreamQuery(second) == cudaSuccess);
    }
    latch.open();
    lockstep::check(cudaDeviceSynchronize());

    bool in_vain = false;
    for (const host_signal& signal : recorded) in_vain = in_vain || signal.in_vain();
    lockstep::exercise_verdict verdict;
    verdict.holds("signals", !in_vain, "one was waited for and never raised");
    verdict.holds("threads do not wait", in_time || in_vain,
                  "a thread went on only when the first stream was done: which call "
                  "waits for the GPU?");
    verdict.holds("second stream waits", !early,
                  "it was done before the first stream began: was the event recorded "
                  "in the first stream, and before the wait for it?");
    verdict.equal("sums of the arrays", d_sums.to_host(), expected);
    return verdict.finish();
}
