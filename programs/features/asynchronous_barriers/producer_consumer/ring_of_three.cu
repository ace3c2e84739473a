// A ring of three buffers: a producer warp fills tile after tile, consumer warps add
// them up. Each buffer has a barrier "filled" and a barrier "ready" (to be filled), and
// threads wait by parity. Say which buffer a tile uses, and which parities its two
// waits are for. No buffer is in use at the start, and no thread arrives to say so.

#include <cstdint>
#include <vector>

#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int stages = 3;
constexpr int consumers = 64;
constexpr int tiles = 14;

/// Where a tile goes, and what its two waits are for.
struct place {
    int stage;  ///< which of the three buffers
    unsigned filled;  ///< parity that the consumers wait for
    unsigned ready;  ///< parity that the producer waits for
};

/// The place of tile i.
__device__ place place_of(int i) {
    // [task]
    const unsigned round = i / stages;  // how often this buffer was used before
    return {i % stages, round % 2, (round + 1) % 2};
    //= given
    //| // Only right for the very first use of each buffer.
    //| return {i % stages, 0, 1};
    //= mutant parity_by_tile
    //| const unsigned parity = i % 2;
    //| return {i % stages, parity, parity ^ 1};
    //= mutant waits_for_no_one
    //| const unsigned round = i / stages;
    //| return {i % stages, round % 2, round % 2};
    //= mutant never_full
    //| const unsigned round = i / stages;
    //| return {i % stages, (round + 1) % 2, (round + 1) % 2};
    // [/task]
}

/// Waits for a parity, but not forever.
/// @return whether the phase completed in time
__device__ bool wait_a_while(std::uint64_t& barrier, unsigned parity) {
    for (int attempt = 0; attempt < 1000; ++attempt)
        if (ptx::mbarrier_try_wait_parity(&barrier, parity, 1000)) return true;
    return false;
}

/// Adds up tiles of which each holds its number, once for each consumer.
/// @param sums     one int for each consumer in device memory, written
/// @param gave_up  one int in device memory: the threads whose wait did not end
/// @param strange  one int in device memory: how often a buffer held another tile
__global__ void add_up_tiles(int* sums, int* gave_up, int* strange) {
    __shared__ std::uint64_t filled[stages], ready[stages];
    __shared__ int buffers[stages][consumers];
    const int t = threadIdx.x;
    if (t < stages) {
        ptx::mbarrier_init(&filled[t], 32);
        ptx::mbarrier_init(&ready[t], consumers);
    }
    for (int k = t; k < stages * consumers; k += blockDim.x)
        buffers[k / consumers][k % consumers] = -1;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < tiles; ++i) {
        const place at = place_of(i);
        if (t >= consumers) {  // the producer
            if (!wait_a_while(ready[at.stage], at.ready)) {
                atomicAdd(gave_up, 1);
                return;
            }
            lockstep::busy_wait(5000);  // a slow producer
            for (int k = t - consumers; k < consumers; k += 32)
                buffers[at.stage][k] = i;
            static_cast<void>(ptx::mbarrier_arrive(&filled[at.stage]));
        } else {
            if (!wait_a_while(filled[at.stage], at.filled)) {
                atomicAdd(gave_up, 1);
                return;
            }
            const int word = buffers[at.stage][consumers - 1 - t];
            if (word != i) atomicAdd(strange, 1);
            sum += word;
            static_cast<void>(ptx::mbarrier_arrive(&ready[at.stage]));
        }
    }
    if (t < consumers) sums[t] = sum;
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<int> d_sums(consumers), d_gave_up(1), d_strange(1);
    d_sums.fill_bytes(0xFF);
    d_gave_up.fill_bytes(0);
    d_strange.fill_bytes(0);
    add_up_tiles<<<1, consumers + 32>>>(d_sums.data(), d_gave_up.data(),
                                        d_strange.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("every wait ended", d_gave_up.to_host()[0] == 0,
                  "a thread waited for a phase that no thread could complete");
    verdict.holds("every buffer held its tile", d_strange.to_host()[0] == 0,
                  "a consumer read before the producer had filled the buffer");
    verdict.equal("sums", d_sums.to_host(),
                  std::vector<int>(consumers, tiles * (tiles - 1) / 2),
                  lockstep::numbered("the sum of consumer"));
    return verdict.finish();
}
