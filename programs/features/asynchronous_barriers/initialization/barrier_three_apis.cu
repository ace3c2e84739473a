// How is a barrier initialized and used with each of the three APIs? The kernels differ
// in names only: one thread sets the expected count, a block barrier makes that
// visible, each thread arrives with a token and waits for it.

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

#ifndef WITH_WARNING
// [suppress]
#pragma nv_diag_suppress static_var_with_dynamic_init
// [/suppress]
#endif

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// [class]
/// Adds to each number the one at the other end of the block; with cuda::barrier.
/// @param in   one int for each thread in device memory
/// @param out  as many ints in device memory, written
__global__ void fold_by_class(const int* in, int* out) {
    __shared__ block_barrier barrier;
    __shared__ int words[block_size];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, block_size);  // 256 arrivals complete a phase
    __syncthreads();  // no thread arrives before that
    words[t] = in[blockIdx.x * block_size + t];
    block_barrier::arrival_token token = barrier.arrive();
    const int opposite = block_size - 1 - t;  // needs no other thread
    barrier.wait(std::move(token));
    out[blockIdx.x * block_size + t] = words[t] + words[opposite];
}
// [/class]

// [ptx]
/// The same with the functions of cuda::ptx, one for each instruction.
/// @param in   one int for each thread in device memory
/// @param out  as many ints in device memory, written
__global__ void fold_by_ptx(const int* in, int* out) {
    __shared__ std::uint64_t barrier;
    __shared__ int words[block_size];
    const int t = threadIdx.x;
    if (t == 0) cuda::ptx::mbarrier_init(&barrier, block_size);
    __syncthreads();
    words[t] = in[blockIdx.x * block_size + t];
    const std::uint64_t token = cuda::ptx::mbarrier_arrive(&barrier);
    const int opposite = block_size - 1 - t;
    while (!cuda::ptx::mbarrier_try_wait(&barrier, token)) {
    }
    out[blockIdx.x * block_size + t] = words[t] + words[opposite];
}
// [/ptx]

// [primitives]
/// The same with the primitives for C.
/// @param in   one int for each thread in device memory
/// @param out  as many ints in device memory, written
__global__ void fold_by_primitives(const int* in, int* out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int words[block_size];
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, block_size);
    __syncthreads();
    words[t] = in[blockIdx.x * block_size + t];
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    const int opposite = block_size - 1 - t;
    while (!__mbarrier_try_wait(&barrier, token, 1000)) {  // a hint, in ns
    }
    out[blockIdx.x * block_size + t] = words[t] + words[opposite];
}
// [/primitives]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 64;
    std::vector<int> in(blocks * block_size), sums(in.size());
    for (int i = 0; i < blocks * block_size; ++i) in[i] = i * i % 1009;
    for (int i = 0; i < blocks * block_size; ++i) {
        const int begin = i / block_size * block_size;
        sums[i] = in[i] + in[begin + block_size - 1 - i % block_size];
    }
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(in.size());
    const auto wrong = [&](auto kernel) {
        d_out.fill_bytes(0xFF);
        kernel<<<blocks, block_size>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        return lockstep::count_mismatches(d_out.to_host(), sums);
    };
    const std::size_t of_class = wrong(fold_by_class);
    const std::size_t of_ptx = wrong(fold_by_ptx);
    const std::size_t of_primitives = wrong(fold_by_primitives);
    lockstep::report("cuda::barrier, wrong sums", of_class);
    lockstep::report("cuda::ptx, wrong sums", of_ptx);
    lockstep::report("primitives, wrong sums", of_primitives);
    lockstep::report("size of a cuda::barrier", sizeof(block_barrier), "bytes");
    lockstep::report("size of an __mbarrier_t", sizeof(__mbarrier_t), "bytes");
    lockstep::report("count limit, cuda::barrier", block_barrier::max());
    lockstep::report("count limit, primitives", __mbarrier_maximum_count());
    const bool right = of_class + of_ptx + of_primitives == 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
