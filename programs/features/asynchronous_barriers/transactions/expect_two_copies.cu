// A block adds a short array, again and again, to a long one. One thread starts a bulk
// copy of each to shared memory, and all threads wait at a barrier for both. In the
// program as given the thread arrives without saying how many bytes will come, so the
// phase ends too early. Say it.

#include <cstdint>
#include <vector>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int n_long = 1024;
constexpr int n_short = 128;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// Waits for a phase, but not forever.
/// @return whether the phase completed in time
__device__ bool wait_a_while(block_barrier& barrier, unsigned parity) {
    std::uint64_t* word = cuda::device::barrier_native_handle(barrier);
    for (int attempt = 0; attempt < 1000; ++attempt)
        if (cuda::ptx::mbarrier_try_wait_parity(word, parity, 1000)) return true;
    return false;
}

/// Adds a short array to a long one.
/// @param in_long   n_long ints in device memory
/// @param in_short  n_short ints in device memory
/// @param sums      n_long ints in device memory, written
/// @param ended     2 ints in device memory, increased by each thread whose wait for
///                  the copies ended, and whose wait for a next phase ended
__global__ void add_short(const int* in_long, const int* in_short, int* sums,
                          int* ended) {
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int words[n_long];
    __shared__ alignas(16) int few[n_short];
    if (threadIdx.x == 0) {
        init(&barrier, 1);  // thread 0 alone arrives
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        // [task]
        const int bytes = sizeof words + sizeof few;
        static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, bytes));
        //= given
        //| // Which arrival also says how many bytes will come?
        //| static_cast<void>(barrier.arrive());
        //= mutant elements
        //| const int bytes = n_long + n_short;
        //| static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, bytes));
        //= mutant first_only
        //| const int bytes = sizeof words;
        //| static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, bytes));
        //= mutant expects_twice
        //| const int bytes = sizeof words + sizeof few;
        //| cuda::device::barrier_expect_tx(barrier, bytes);
        //| static_cast<void>(cuda::device::barrier_arrive_tx(barrier, 1, bytes));
        //= mutant never_arrives
        //| cuda::device::barrier_expect_tx(barrier, sizeof words + sizeof few);
        // [/task]
        cuda::device::memcpy_async_tx(words, in_long,
                                      cuda::aligned_size_t<16>(sizeof words), barrier);
        cuda::device::memcpy_async_tx(few, in_short,
                                      cuda::aligned_size_t<16>(sizeof few), barrier);
    }
    const bool in_time = wait_a_while(barrier, 0);
    if (in_time) atomicAdd(&ended[0], 1);
    for (int i = threadIdx.x; in_time && i < n_long; i += blockDim.x)
        sums[i] = words[i] + few[i % n_short];
    __syncthreads();  // no thread waits for the first phase any more
    // bytes that were not expected would keep the next phase from ending
    if (in_time && threadIdx.x == 0) static_cast<void>(barrier.arrive());
    if (in_time && wait_a_while(barrier, 1)) atomicAdd(&ended[1], 1);
    lockstep::busy_wait(20'000);  // copies without a wait need the memory, too
}

int main() {
    lockstep::require_device(90);

    std::vector<int> in_long(n_long), in_short(n_short), sums(n_long);
    for (int i = 0; i < n_short; ++i) in_short[i] = 1000 * i;
    for (int i = 0; i < n_long; ++i) {
        in_long[i] = i;
        sums[i] = i + in_short[i % n_short];
    }
    const lockstep::device_buffer<int> d_long(in_long), d_short(in_short);
    lockstep::device_buffer<int> d_sums(n_long), d_ended(2);
    d_sums.fill_bytes(0xFF);
    d_ended.fill_bytes(0);
    constexpr int block_size = 128;
    add_short<<<1, block_size>>>(d_long.data(), d_short.data(), d_sums.data(),
                                 d_ended.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> ended = d_ended.to_host();

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("the wait ended", ended[0] == block_size,
                  "the phase waits for an arrival or for bytes that never come");
    verdict.equal("sums", d_sums.to_host(), sums);
    verdict.holds("no byte was left over", ended[1] == block_size,
                  "the phase expected fewer bytes than the copies delivered");
    return verdict.finish();
}
