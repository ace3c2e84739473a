// One warp copies, the others compute. __pipeline_arrive_on ties the copies of a thread
// to an mbarrier, so that other threads can wait for them. It does not count as the
// arrival of the thread: that one still has to arrive.

#include <cstdlib>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int warp = 32;
constexpr int consumers = 128;
constexpr int stages = 2;
constexpr int tile = 4 * consumers;  // words

// [wait]
/// Waits for the phase with this parity. Gives up after two seconds.
__device__ void wait(__mbarrier_t* barrier, int parity) {
    const auto done = [&] {
        return __mbarrier_try_wait_parity(barrier, parity, 1'000'000);
    };
    if (done()) return;
    const unsigned long long begin = lockstep::now_ns();
    while (!done())
        if (lockstep::now_ns() - begin > 2'000'000'000) __trap();
}
// [/wait]

// [kernel]
/// Reverses tiles: the first warp copies them to shared memory, four others read them.
/// @param tiles  number of tiles of each block
/// @param x      tiles * tile words for each block in device memory
/// @param y      as many words in device memory, written
__global__ void reverse_tiles(int tiles, const unsigned* x, unsigned* y) {
    __shared__ alignas(16) unsigned words[stages][tile];
    __shared__ __mbarrier_t full[stages], empty[stages];
    if (threadIdx.x == 0)
        for (int s = 0; s < stages; ++s) {
            __mbarrier_init(&full[s], warp);  // the lanes of the producer
            __mbarrier_init(&empty[s], consumers);  // the threads of the consumers
        }
    __syncthreads();
    const std::size_t first = std::size_t(blockIdx.x) * tiles * tile;
    for (int i = 0; i < tiles; ++i) {
        const int s = i % stages;
        const int use = i / stages;  // how often this stage was used before
        if (threadIdx.x < warp) {
            if (use > 0) wait(&empty[s], (use - 1) % 2);
            for (int k = 4 * threadIdx.x; k < tile; k += 4 * warp)
                __pipeline_memcpy_async(&words[s][k], x + first + i * tile + k, 16);
            __pipeline_arrive_on(&full[s]);  // when this lane's copies have arrived
            __mbarrier_arrive(&full[s]);
        } else {
            wait(&full[s], use % 2);
            for (int k = threadIdx.x - warp; k < tile; k += consumers)
                y[first + i * tile + k] = words[s][tile - 1 - k];
            __mbarrier_arrive(&empty[s]);
        }
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 264, 1, 4096);  // 2 x 132 SMs
    const int tiles = options.integer("tiles", 32, 1, 256);
    options.finish();
    lockstep::require_device(90);

    std::vector<unsigned> x(std::size_t(blocks) * tiles * tile);
    std::vector<unsigned> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = unsigned(i) * 3;
    for (std::size_t i = 0; i < x.size(); ++i)
        expected[i] = x[i / tile * tile + (tile - 1 - i % tile)];
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_y(x.size());
    d_y.fill_bytes(0xFF);
    reverse_tiles<<<blocks, warp + consumers>>>(tiles, d_x.data(), d_y.data());
    lockstep::check(cudaGetLastError());
    const std::size_t wrong = lockstep::count_mismatches(d_y.to_host(), expected);
    lockstep::report("words", x.size());
    lockstep::report("wrong words", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
