// Answer three questions about a launch by arithmetic on the host. Which block holds
// the thread of element i, if a block has m threads? Which thread of that block is it?
// How many blocks do n elements need? A kernel records the truth, and your answers are
// compared with it.

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

// [task]
/// The block that works on element i.
int block_of(int i, int m) { return i / m; }

/// The thread of that block.
int thread_of(int i, int m) { return i % m; }

/// The blocks that n elements need.
int blocks_for(int n, int m) { return (n + m - 1) / m; }
//= given
//| /// The block that works on element i.
//| int block_of(int /*i*/, int /*m*/) { return 0; }
//|
//| /// The thread of that block.
//| int thread_of(int /*i*/, int /*m*/) { return 0; }
//|
//| /// The blocks that n elements need.
//| int blocks_for(int /*n*/, int /*m*/) { return 1; }
//= mutant rounded_down
//| int block_of(int i, int m) { return i / m; }
//| int thread_of(int i, int m) { return i % m; }
//| int blocks_for(int n, int m) { return n / m; }
//= mutant one_more_than_needed
//| int block_of(int i, int m) { return i / m; }
//| int thread_of(int i, int m) { return i % m; }
//| int blocks_for(int n, int m) { return n / m + 1; }
// [/task]

/// Each thread stores its block and its number at its element.
/// @param n       number of elements
/// @param block   n ints in device memory, written
/// @param thread  n ints in device memory, written
__global__ void sign_in(int n, int* block, int* thread) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    block[i] = blockIdx.x;
    thread[i] = threadIdx.x;
}

int main() {
    lockstep::require_device();

    lockstep::exercise_verdict verdict;
    constexpr int sizes[][2] = {
        {1, 32}, {512, 256}, {1000, 256}, {1000, 100}, {12'345, 1024}};
    for (const auto& [n, m] : sizes) {
        lockstep::device_buffer<int> d_block(std::vector<int>(n, -1));
        lockstep::device_buffer<int> d_thread(std::vector<int>(n, -1));
        // more blocks than needed, so that all sign in
        sign_in<<<n, m>>>(n, d_block.data(), d_thread.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> block = d_block.to_host();
        std::vector<int> my_block(n);
        std::vector<int> my_thread(n);
        for (int i = 0; i < n; ++i) {
            my_block[i] = block_of(i, m);
            my_thread[i] = thread_of(i, m);
        }
        const auto call_of = [m = m](const std::string& function) {
            return [=](std::size_t i) {
                return function + "(" + std::to_string(i) + ", " + std::to_string(m) +
                       ")";
            };
        };
        std::printf("%d elements, blocks of %d\n", n, m);
        verdict.equal("block_of", my_block, block, call_of("block_of"));
        verdict.equal("thread_of", my_thread, d_thread.to_host(), call_of("thread_of"));
        verdict.equal("blocks_for", std::vector<int>{blocks_for(n, m)},
                      std::vector<int>{block.back() + 1});
    }
    return verdict.finish();
}
