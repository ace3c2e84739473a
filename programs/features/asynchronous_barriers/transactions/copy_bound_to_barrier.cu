// How does a barrier wait for copies? A copy that is bound to it is one more thing that
// the current phase waits for. Three ways: each thread copies its own word, the block
// copies a tile together, and one thread starts a bulk copy and says how many bytes.

#include <cstdlib>
#include <utility>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int block_size = 256;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// Initializes a barrier for all threads of the block.
__device__ void begin(block_barrier& barrier) {
    if (threadIdx.x == 0) {
        init(&barrier, block_size);
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    }
    __syncthreads();
}

// [each-thread]
/// Reverses each tile of 256 ints through shared memory; each thread copies a word.
/// @param in   one int for each thread in device memory
/// @param out  as many ints in device memory, written
__global__ void each_thread(const int* in, int* out) {
    __shared__ block_barrier barrier;
    __shared__ int words[block_size];
    begin(barrier);
    const int t = threadIdx.x;
    const int* tile = in + blockIdx.x * block_size;
    cuda::memcpy_async(words + t, tile + t, cuda::aligned_size_t<4>(4), barrier);
    barrier.arrive_and_wait();
    out[blockIdx.x * block_size + t] = words[block_size - 1 - t];
}
// [/each-thread]

// [the-block]
/// The same; the threads of the block call the copy of the tile together.
/// @param in   one int for each thread in device memory, 16-byte aligned
/// @param out  as many ints in device memory, written
__global__ void the_block(const int* in, int* out) {
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int words[block_size];
    begin(barrier);
    const int t = threadIdx.x;
    const int* tile = in + blockIdx.x * block_size;
    cuda::memcpy_async(cooperative_groups::this_thread_block(), words, tile,
                       cuda::aligned_size_t<16>(sizeof words), barrier);
    barrier.arrive_and_wait();
    out[blockIdx.x * block_size + t] = words[block_size - 1 - t];
}
// [/the-block]

// [bulk-copy]
/// The same; one thread starts a bulk copy of the tile.
/// @param in   one int for each thread in device memory, 16-byte aligned
/// @param out  as many ints in device memory, written
__global__ void bulk_copy(const int* in, int* out) {
    __shared__ block_barrier barrier;
    __shared__ alignas(16) int words[block_size];
    begin(barrier);
    const int t = threadIdx.x;
    const int* tile = in + blockIdx.x * block_size;
    if (t == 0) {
        auto token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof words);
        cuda::device::memcpy_async_tx(words, tile,
                                      cuda::aligned_size_t<16>(sizeof words), barrier);
        barrier.wait(std::move(token));
    } else {
        barrier.arrive_and_wait();
    }
    out[blockIdx.x * block_size + t] = words[block_size - 1 - t];
}
// [/bulk-copy]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 64;
    std::vector<int> in(blocks * block_size), expected(in.size());
    for (int i = 0; i < blocks * block_size; ++i) {
        in[i] = 11 * i;
        expected[i] =
            11 * (i / block_size * block_size + block_size - 1 - i % block_size);
    }
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(in.size());
    const auto wrong = [&](auto kernel) {
        d_out.fill_bytes(0xFF);
        kernel<<<blocks, block_size>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        return lockstep::count_mismatches(d_out.to_host(), expected);
    };
    const std::size_t thread = wrong(each_thread);
    const std::size_t block = wrong(the_block);
    const std::size_t bulk = wrong(bulk_copy);
    lockstep::report("each thread, wrong numbers", thread);
    lockstep::report("the block, wrong numbers", block);
    lockstep::report("bulk copy, wrong numbers", bulk);
    return thread + block + bulk == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
