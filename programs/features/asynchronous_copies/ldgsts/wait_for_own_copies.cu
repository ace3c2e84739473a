// Whose copies does __pipeline_wait_prior wait for? For those of the calling thread. A
// thread that reads what its neighbor copied needs a barrier as well, or it finds the
// old words.

#include <cstdlib>
#include <vector>

#include <cuda_pipeline_primitives.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr unsigned old_word = 0xFFFFFFFF;

// [kernel]
/// Each thread copies a word to shared memory and reads that of another warp's thread.
/// @tparam barrier  whether the block synchronizes between wait and read
/// @param x         one word for each thread in device memory
/// @param y         one word for each thread in device memory, written
template <bool barrier>
__global__ void read_neighbor(const unsigned* x, unsigned* y) {
    __shared__ unsigned words[block_size];
    const int t = threadIdx.x;
    const std::size_t first = std::size_t(blockIdx.x) * block_size;
    words[t] = old_word;
    __syncthreads();
    if (t / warpSize % 2 == 1) lockstep::busy_wait(2000);  // odd warps are late
    __pipeline_memcpy_async(words + t, x + first + t, sizeof(unsigned));
    __pipeline_commit();
    __pipeline_wait_prior(0);      // this thread's copy has arrived
    if (barrier) __syncthreads();  // and those of all others
    y[first + t] = words[(t + warpSize) % block_size];
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 100, 1, 10'000);
    options.finish();
    lockstep::require_device(80);

    std::vector<unsigned> x(std::size_t(blocks) * block_size);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<unsigned>(i);
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_y(x.size());
    long long old_words[2] = {};
    long long wrong = 0;
    for (const bool barrier : {false, true}) {
        const auto kernel = barrier ? read_neighbor<true> : read_neighbor<false>;
        d_y.fill_bytes(0);
        kernel<<<blocks, block_size>>>(d_x.data(), d_y.data());
        lockstep::check(cudaGetLastError());
        const std::vector<unsigned> y = d_y.to_host();
        for (std::size_t i = 0; i < y.size(); ++i) {
            const std::size_t block = i / block_size * block_size;
            const unsigned expected = x[block + (i % block_size + 32) % block_size];
            if (y[i] == old_word)
                ++old_words[barrier];
            else
                wrong += y[i] != expected;
        }
    }
    lockstep::report("reads", x.size());
    lockstep::report("old words, no barrier", lockstep::counted{old_words[0]});
    lockstep::report("old words, with barrier", old_words[1]);
    return old_words[1] == 0 && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
