// A producer in one stream fills a buffer, a consumer in another adds it up, several
// rounds with the same buffer. Nothing orders the two streams. Add the events: no round
// may be read before it is complete, and none overwritten before it was read. The host
// must not wait in the loop.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr int n = 1000;
constexpr int rounds = 6;

/// What is filled and read again and again. The check makes one of the two slow.
struct shared_buffer {
    std::uint32_t words[n];
    unsigned fill_after, read_after;  ///< nanoseconds after the kernel began
};

/// Fills a buffer.
/// @param round   chooses the numbers
/// @param buffer  one in device memory, its words written
__global__ void produce(int round, shared_buffer* buffer) {
    if (threadIdx.x == 0) lockstep::busy_wait(buffer->fill_after);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        buffer->words[i] = lockstep::random_word(i, round);
}

/// Adds a buffer up.
/// @param buffer  one in device memory
/// @param sum     one word in device memory, 0 before
__global__ void consume(const shared_buffer* buffer, std::uint32_t* sum) {
    if (threadIdx.x == 0) lockstep::busy_wait(buffer->read_after);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, buffer->words[i]);
}

/// What the rounds use: device memory, streams, and events for you to record.
struct job {
    shared_buffer* buffer;
    std::uint32_t* sums;
    cudaStream_t producer, consumer;
    cudaEvent_t filled, drained;
};

/// Enqueues all rounds.
void enqueue(const job& j) {
    for (int round = 0; round < rounds; ++round) {
        // [task]
        lockstep::check(cudaStreamWaitEvent(j.producer, j.drained, 0));
        produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        lockstep::check(cudaEventRecord(j.filled, j.producer));

        lockstep::check(cudaStreamWaitEvent(j.consumer, j.filled, 0));
        consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        lockstep::check(cudaEventRecord(j.drained, j.consumer));
        //= given
        //| produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        //| consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        //= mutant no_way_back
        //| produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        //| lockstep::check(cudaEventRecord(j.filled, j.producer));
        //| lockstep::check(cudaStreamWaitEvent(j.consumer, j.filled, 0));
        //| consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        //= mutant recorded_too_early
        //| lockstep::check(cudaStreamWaitEvent(j.producer, j.drained, 0));
        //| lockstep::check(cudaEventRecord(j.filled, j.producer));
        //| produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        //| lockstep::check(cudaStreamWaitEvent(j.consumer, j.filled, 0));
        //| consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        //| lockstep::check(cudaEventRecord(j.drained, j.consumer));
        //= mutant drained_too_early
        //| lockstep::check(cudaStreamWaitEvent(j.producer, j.drained, 0));
        //| produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        //| lockstep::check(cudaEventRecord(j.filled, j.producer));
        //| lockstep::check(cudaStreamWaitEvent(j.consumer, j.filled, 0));
        //| lockstep::check(cudaEventRecord(j.drained, j.consumer));
        //| consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        //= mutant host_waits
        //| produce<<<1, 256, 0, j.producer>>>(round, j.buffer);
        //| lockstep::check(cudaStreamSynchronize(j.producer));
        //| consume<<<1, 256, 0, j.consumer>>>(j.buffer, j.sums + round);
        //| lockstep::check(cudaStreamSynchronize(j.consumer));
        // [/task]
    }
    lockstep::check(cudaGetLastError());
}

/// Runs the job with one stream held back, and says whether the other one finished.
/// @param j        the job
/// @param held     the stream that cannot begin until the end of the test
/// @param other    the other stream
/// @param verdict  learns whether the host waited
bool overtakes(const job& j, cudaStream_t held, cudaStream_t other,
               lockstep::exercise_verdict& verdict) {
    const bool late = held == j.producer;  // then filling is slow, else reading
    const shared_buffer start{{}, late ? 200'000u : 0, late ? 0 : 200'000u};
    lockstep::check(cudaMemcpy(j.buffer, &start, sizeof start, cudaMemcpyHostToDevice));
    lockstep::check(cudaMemset(j.sums, 0, rounds * sizeof(std::uint32_t)));
    lockstep::check(cudaDeviceSynchronize());  // the streams do not wait for that
    lockstep::stream_latch latch;
    latch.hold(held);
    enqueue(j);
    verdict.holds("host only enqueues", latch.closed(),
                  "a call in the loop waited for the GPU: let the streams wait");
    bool empty = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (!empty && std::chrono::steady_clock::now() < end)
        empty = cudaStreamQuery(other) == cudaSuccess;
    empty = empty && latch.closed();
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    return empty;
}

int main() {
    lockstep::require_device();
    lockstep::device_buffer<shared_buffer> d_buffer(1);
    lockstep::device_buffer<std::uint32_t> d_sums(rounds);
    const lockstep::owned_stream producer, consumer;
    const lockstep::owned_event filled(cudaEventDisableTiming);
    const lockstep::owned_event drained(cudaEventDisableTiming);
    const job j{d_buffer.data(), d_sums.data(), producer, consumer, filled, drained};
    lockstep::load_kernels(produce, consume);
    std::vector<std::uint32_t> expected(rounds);
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < n; ++i) expected[round] += lockstep::random_word(i, round);

    lockstep::exercise_verdict verdict;
    verdict.holds("consumer waits for producer",
                  !overtakes(j, producer, consumer, verdict),
                  "it read all rounds before the first was produced: which event "
                  "tells its stream that a round is complete?");
    const auto first_wrong = [&] {
        const std::vector<std::uint32_t> sums = d_sums.to_host();
        return std::mismatch(sums.begin(), sums.end(), expected.begin()).first -
               sums.begin();
    };
    long wrong = first_wrong();
    std::string where = "round " + std::to_string(wrong) +
                        " has another sum: was it complete when it was added up?";
    verdict.holds("sum of each round", wrong == rounds, where.c_str());
    const bool overwrites = overtakes(j, consumer, producer, verdict);
    wrong = first_wrong();
    where = overwrites ? "it overwrote the buffer before the first round was read: "
                         "which event tells its stream that a round was read?"
                       : "with a slow consumer, round " + std::to_string(wrong) +
                             " has another sum: was the buffer filled again while it "
                             "was added up?";
    verdict.holds("producer waits for consumer", !overwrites && wrong == rounds,
                  where.c_str());
    return verdict.finish();
}
