// How do some warps fill buffers while others empty them? Each of two buffers has two
// barriers: "ready" to be filled, and "filled". With all three APIs, which the kernel
// uses through the same four names.

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

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int producers = 32;
constexpr int consumers = 128;
constexpr int block_size = producers + consumers;
constexpr int tile = consumers;  // ints in a buffer

// [apis]
/// cuda::barrier.
struct by_class {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    static __device__ void begin(barrier& b, int count) { init(&b, count); }
    static __device__ auto arrive(barrier& b) { return b.arrive(); }
    static __device__ void wait(barrier& b, barrier::arrival_token token) {
        b.wait(std::move(token));
    }
};

/// The functions of cuda::ptx.
struct by_ptx {
    using barrier = std::uint64_t;
    static __device__ void begin(barrier& b, int count) {
        cuda::ptx::mbarrier_init(&b, count);
    }
    static __device__ auto arrive(barrier& b) { return cuda::ptx::mbarrier_arrive(&b); }
    static __device__ void wait(barrier& b, std::uint64_t token) {
        while (!cuda::ptx::mbarrier_try_wait(&b, token)) {
        }
    }
};

/// The primitives for C.
struct by_primitives {
    using barrier = __mbarrier_t;
    static __device__ void begin(barrier& b, int count) { __mbarrier_init(&b, count); }
    static __device__ auto arrive(barrier& b) { return __mbarrier_arrive(&b); }
    static __device__ void wait(barrier& b, __mbarrier_token_t token) {
        while (!__mbarrier_try_wait(&b, token, 1000)) {
        }
    }
};
// [/apis]

// [kernel]
/// Doubles numbers and adds 1: the first warp loads tiles, the other warps compute.
/// @tparam api   the API of the barriers
/// @param tiles  number of tiles
/// @param in     tiles * tile ints in device memory
/// @param out    as many ints in device memory, written
template <class api>
__global__ void hand_over(int tiles, const int* in, int* out) {
    using barrier = typename api::barrier;
    __shared__ barrier ready[2], filled[2];
    __shared__ int buffers[2][tile];
    const int t = threadIdx.x;
    if (t < 2) {  // all threads arrive at all barriers
        api::begin(ready[t], block_size);
        api::begin(filled[t], block_size);
    }
    __syncthreads();
    if (t < producers) {
        for (int i = 0; i < tiles; ++i) {
            api::wait(ready[i % 2], api::arrive(ready[i % 2]));
            for (int k = t; k < tile; k += producers)
                buffers[i % 2][k] = in[i * tile + k];
            static_cast<void>(api::arrive(filled[i % 2]));  // and do not wait
        }
    } else {
        static_cast<void>(api::arrive(ready[0]));  // both buffers are empty
        static_cast<void>(api::arrive(ready[1]));
        const int k = t - producers;
        for (int i = 0; i < tiles; ++i) {
            api::wait(filled[i % 2], api::arrive(filled[i % 2]));
            out[i * tile + k] = 2 * buffers[i % 2][k] + 1;
            static_cast<void>(api::arrive(ready[i % 2]));  // it may be filled again
        }
    }
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    constexpr int tiles = 50;
    std::vector<int> in(tiles * tile), expected(in.size());
    for (int i = 0; i < tiles * tile; ++i) {
        in[i] = i * 3;
        expected[i] = i * 6 + 1;
    }
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(in.size());
    std::size_t all_wrong = 0;
    const auto run = [&](auto kernel, const char* name) {
        d_out.fill_bytes(0xFF);
        kernel<<<1, block_size>>>(tiles, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        const std::size_t wrong = lockstep::count_mismatches(d_out.to_host(), expected);
        lockstep::report(name, wrong);
        all_wrong += wrong;
    };
    run(hand_over<by_class>, "cuda::barrier, wrong");
    run(hand_over<by_ptx>, "cuda::ptx, wrong");
    run(hand_over<by_primitives>, "primitives, wrong");
    return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
