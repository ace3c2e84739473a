// A barrier that waits for a bulk copy must expect the number of bytes. With none,
// its phase completes before the data has arrived; with too many, it never does. Waits
// are limited here, so that a mistake ends in a message.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int block_size = 128;
constexpr int tile = 8192;  // words
constexpr unsigned old_word = 0xFFFFFFFF;

// [kernel]
/// Copies a tile to shared memory and counts the words that are there after the wait.
/// @param announced  bytes that the barrier expects
/// @param x          tile words in device memory, 16-byte aligned
/// @param found      two words in device memory: 1 if the phase was completed within a
///                   millisecond, and the number of words that were not there
__global__ void copy_tile(std::uint32_t announced, const unsigned* x, unsigned* found) {
    extern __shared__ __align__(128) unsigned words[];
    __shared__ std::uint64_t arrived;
    constexpr std::uint32_t bytes = tile * sizeof(unsigned);
    if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
    for (int i = threadIdx.x; i < tile; i += block_size) words[i] = old_word;
    ptx::fence_proxy_async(ptx::space_shared);  // before TMA writes the same words
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, announced);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, words, x, bytes,
                           &arrived);
    }
    const unsigned long long begin = lockstep::now_ns();
    bool complete = false;
    while (!complete && lockstep::now_ns() - begin < 1'000'000)
        complete = ptx::mbarrier_try_wait_parity(&arrived, 0);
    unsigned missing = 0;
    for (int i = threadIdx.x; i < tile; i += block_size)
        missing += words[i] == old_word;
    atomicAdd(&found[1], missing);
    if (threadIdx.x == 0) found[0] = complete;
    __syncthreads();
    lockstep::busy_wait(100'000);  // shared memory must outlive the copy
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<unsigned> x(tile);
    for (int i = 0; i < tile; ++i) x[i] = i;
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_found(2);
    constexpr std::uint32_t bytes = tile * sizeof(unsigned);
    const auto run = [&](std::uint32_t announced) {
        d_found.fill_bytes(0);
        copy_tile<<<1, block_size, bytes>>>(announced, d_x.data(), d_found.data());
        lockstep::check(cudaGetLastError());
        return d_found.to_host();
    };
    const auto right = run(bytes);
    const auto none = run(0);
    const auto more = run(bytes + 16);
    lockstep::report("words copied", tile);
    lockstep::report("right count: completes", right[0] == 1);
    lockstep::report("right count: words missing", right[1]);
    lockstep::report("count 0: completes", none[0] == 1);
    lockstep::report("count 0: words missing", lockstep::counted{none[1]});
    lockstep::report("16 too many: completes", more[0] == 1);
    return right[0] == 1 && right[1] == 0 && more[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
