// What does a producer do when all stages are in use? It waits in producer_acquire. The
// pipeline has two stages, and the consumers take their time before they release the
// first one: the producers' third acquire returns only then.

#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // make_pipeline() initializes

constexpr int stages = 2;
constexpr int tiles = 3;
constexpr int slow_cycles = 100'000;  // before the first release
using shared_state = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

/// Moments of a tile, in cycles of the clock of the SM.
struct moments {
    long long asked[tiles];  ///< before each acquire
    long long acquired[tiles];  ///< after each acquire
    long long released[tiles];  ///< before each release
};

// [kernel]
/// One warp produces three tiles, one warp consumes them, slowly.
/// @param in    tiles * 32 words in device memory
/// @param out   tiles * 32 words in device memory, written
/// @param when  one element in device memory, written
__global__ void two_stages_three_tiles(const int* in, int* out, moments* when) {
    __shared__ int words[stages][32];
    __shared__ shared_state state;
    constexpr cuda::std::size_t producer_count = 32;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                    producer_count);
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < tiles; ++i) {
        if (threadIdx.x < producer_count) {
            if (lane == 0) when->asked[i] = clock64();
            pipe.producer_acquire();
            if (lane == 0) when->acquired[i] = clock64();
            cuda::memcpy_async(&words[i % stages][lane], &in[i * 32 + lane],
                               sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[i * 32 + lane] = words[i % stages][lane];
            for (const long long begin = clock64(); clock64() - begin < slow_cycles;)
                continue;
            if (lane == 0) when->released[i] = clock64();
            pipe.consumer_release();
        }
    }
}
// [/kernel]

int main() {
    lockstep::require_device(80);

    std::vector<int> in(tiles * 32);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i);
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(tiles * 32);
    lockstep::device_buffer<moments> d_when(1);
    for (int run = 0; run < 2; ++run) {  // the first run brings the code to the GPU
        d_out.fill_bytes(0xFF);
        two_stages_three_tiles<<<1, 64>>>(d_in.data(), d_out.data(), d_when.data());
        lockstep::check(cudaGetLastError());
    }
    const bool right = d_out.to_host() == in;
    const moments when = d_when.to_host()[0];
    const auto cycles = [&](int i) {
        return lockstep::measured{double(when.acquired[i] - when.asked[i])};
    };
    lockstep::report("first acquire took", cycles(0), "cycles");
    lockstep::report("second acquire took", cycles(1), "cycles");
    lockstep::report("third acquire took", cycles(2), "cycles");
    const bool waited = when.acquired[2] >= when.released[0];
    lockstep::report("third acquire after release", waited);
    lockstep::report("words right", right);
    return right && waited ? EXIT_SUCCESS : EXIT_FAILURE;
}
