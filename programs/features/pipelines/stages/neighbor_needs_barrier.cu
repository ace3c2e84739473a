// Whose copies does a thread's pipeline wait for? Its own only. Each thread reads the
// word that a thread of the other warp copies, and that warp starts late. With a
// barrier after the wait all words are there; without one, the early warp reads old
// words.

#include <cstdlib>
#include <vector>

#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 64;         // words, and threads of a block: two warps
constexpr int late_cycles = 20000;  // cycles by which the second warp is late

// [kernel]
/// Copies words to shared memory, and reads them from there in another warp.
/// @tparam barrier  whether the block synchronizes between the wait and the reads
/// @param in        n ints for each block in device memory, none of them -1
/// @param out       n ints for each block in device memory, written
template <bool barrier>
__global__ void read_neighbor(const int* in, int* out) {
    __shared__ int words[n];
    const int i = threadIdx.x;
    words[i] = -1;
    __syncthreads();
    if (i >= 32)
        for (const long long begin = clock64(); clock64() - begin < late_cycles;)
            continue;

    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&words[i], &in[blockIdx.x * n + i], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();  // this thread's copy is complete
    if (barrier) __syncthreads();  // and now those of all threads
    out[blockIdx.x * n + i] = words[(i + 32) % n];
    pipe.consumer_release();
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 100, 1, 10'000);
    options.finish();
    lockstep::require_device(80);

    std::vector<int> in(blocks * n);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(blocks * n);
    const auto wrong = [&](auto kernel) {
        d_out.fill_bytes(0xFE);
        kernel<<<blocks, n>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> out = d_out.to_host();
        int count = 0;
        for (int i = 0; i < blocks * n; ++i)
            count += out[i] != in[i / n * n + (i + 32) % n];
        return count;
    };
    lockstep::report("words read", blocks * n);
    lockstep::report("wrong without a barrier",
                     lockstep::counted{wrong(read_neighbor<false>)});
    const int with_barrier = wrong(read_neighbor<true>);
    lockstep::report("wrong with a barrier", with_barrier);
    return with_barrier == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
