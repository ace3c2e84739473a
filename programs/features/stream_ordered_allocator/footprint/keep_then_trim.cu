// A program works in two phases. In the first, it allocates and frees 256 MiB in each
// step and synchronizes between them: its pool must not give memory back then. In the
// second it needs 64 MiB: the pool must keep that much and give the rest back. Write
// what prepares the first phase and what ends it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

/// Physical memory of a pool in bytes.
std::uint64_t reserved(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    lockstep::check(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
    return bytes;
}

// [task]
/// Lets the pool keep its memory when the program synchronizes.
/// @param pool  the pool
void begin_phase(cudaMemPool_t pool) {
    std::uint64_t threshold = UINT64_MAX;
    lockstep::check(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

/// Gives back all memory but a rest; work in the stream may still be running.
/// @param pool    the pool
/// @param stream  all work with the pool's memory is in this stream
/// @param keep    bytes that the pool keeps
void end_phase(cudaMemPool_t pool, cudaStream_t stream, std::size_t keep) {
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolTrimTo(pool, keep));
}
//= given
//| /// Lets the pool keep its memory when the program synchronizes.
//| /// @param pool  the pool
//| void begin_phase(cudaMemPool_t /*pool*/) {}
//|
//| /// Gives back all memory but a rest; work in the stream may still be running.
//| /// @param pool    the pool
//| /// @param stream  all work with the pool's memory is in this stream
//| /// @param keep    bytes that the pool keeps
//| void end_phase(cudaMemPool_t /*pool*/, cudaStream_t /*stream*/,
//|                std::size_t /*keep*/) {}
//= mutant never_trims
//| void begin_phase(cudaMemPool_t pool) {
//|     std::uint64_t threshold = UINT64_MAX;
//|     lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
//|                                             &threshold));
//| }
//| void end_phase(cudaMemPool_t, cudaStream_t stream, std::size_t) {
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant trims_too_early
//| void begin_phase(cudaMemPool_t pool) {
//|     std::uint64_t threshold = UINT64_MAX;
//|     lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
//|                                             &threshold));
//| }
//| void end_phase(cudaMemPool_t pool, cudaStream_t stream, std::size_t keep) {
//|     lockstep::check(cudaMemPoolTrimTo(pool, keep));
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant keeps_nothing
//| void begin_phase(cudaMemPool_t pool) {
//|     std::uint64_t threshold = UINT64_MAX;
//|     lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
//|                                             &threshold));
//| }
//| void end_phase(cudaMemPool_t pool, cudaStream_t stream, std::size_t) {
//|     lockstep::check(cudaStreamSynchronize(stream));
//|     lockstep::check(cudaMemPoolTrimTo(pool, 0));
//| }
//= mutant threshold_too_small
//| void begin_phase(cudaMemPool_t pool) {
//|     std::uint64_t threshold = 64 * mib;
//|     lockstep::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
//|                                             &threshold));
//| }
//| void end_phase(cudaMemPool_t pool, cudaStream_t stream, std::size_t keep) {
//|     lockstep::check(cudaStreamSynchronize(stream));
//|     lockstep::check(cudaMemPoolTrimTo(pool, keep));
//| }
// [/task]

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    const auto step = [&] {
        void* x[8] = {};
        for (void*& one : x)
            lockstep::check(cudaMallocFromPoolAsync(&one, 32 * mib, pool, stream));
        lockstep::busy<<<1, 1, 0, stream>>>(2'000'000);  // 2 ms of work
        lockstep::check(cudaGetLastError());
        for (void* one : x) lockstep::check(cudaFreeAsync(one, stream));
    };

    begin_phase(pool);
    std::uint64_t kept = UINT64_MAX;  // the least after a step
    for (int i = 0; i < 3; ++i) {
        step();
        lockstep::check(cudaStreamSynchronize(stream));
        kept = std::min(kept, reserved(pool));
    }
    step();  // the last one is still running
    end_phase(pool, stream, 64 * mib);
    const std::uint64_t rest = reserved(pool);
    lockstep::check(cudaStreamSynchronize(stream));

    lockstep::exercise_verdict verdict;
    const auto pool_has = [](std::uint64_t bytes, const char* advice) {
        return "the pool has " + std::to_string(bytes / mib) + " MiB: " + advice;
    };
    verdict.holds("kept between the steps", kept >= 256 * mib,
                  pool_has(kept, "look at the release threshold").c_str());
    verdict.holds("kept for the second phase", rest >= 64 * mib,
                  pool_has(rest, "how much may trimming leave?").c_str());
    verdict.holds(
        "the rest given back", rest < 128 * mib,
        pool_has(rest, "trimming gives back what the host knows to be free").c_str());
    lockstep::check(cudaMemPoolDestroy(pool));
    return verdict.finish();
}
