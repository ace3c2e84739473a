// What does the difference of two calls of clock64() count? The cycles that passed on
// the SM, not those that the thread itself worked. So it contains the time of other
// warps that the SM ran in between, and the time in which a warp waited for its own
// result.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int rounds = 1024;
constexpr int chains = 4;

// [kernels]
/// Times multiplications and additions, each of which needs the result before it.
/// @param factor  of all steps
/// @param result  one float for each thread in device memory, written
/// @param cycles  one number in device memory, written by thread 0
__global__ void time_one_chain(float factor, float* result, long long* cycles) {
    float x = threadIdx.x;
    const long long before = clock64();
    for (int i = 0; i < rounds * chains; ++i) x = x * factor + 1;
    const long long after = clock64();
    result[threadIdx.x] = x;
    if (threadIdx.x == 0) *cycles = after - before;
}

/// Times as many, in chains that need nothing of each other.
/// @param factor  of all steps
/// @param result  one float for each thread in device memory, written
/// @param cycles  one number in device memory, written by thread 0
__global__ void time_four_chains(float factor, float* result, long long* cycles) {
    float x[chains] = {1.0f * threadIdx.x, 1, 2, 3};
    __syncthreads();  // all warps of the block begin together
    const long long before = clock64();
    for (int i = 0; i < rounds; ++i)
        for (int chain = 0; chain < chains; ++chain) x[chain] = x[chain] * factor + 1;
    const long long after = clock64();
    result[threadIdx.x] = x[0] + x[1] + x[2] + x[3];
    if (threadIdx.x == 0) *cycles = after - before;
}
// [/kernels]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<float> d_result(1024);
    lockstep::device_buffer<long long> d_cycles(1);
    const auto cycles_of = [&](void (*kernel)(float, float*, long long*), int threads) {
        long long cycles = 0;
        for (int run = 0; run < 2; ++run) {  // the second finds its code in the cache
            kernel<<<1, threads>>>(0.5f, d_result.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            cycles = d_cycles.to_host()[0];
        }
        return static_cast<double>(cycles) / (rounds * chains);
    };
    const double dependent = cycles_of(time_one_chain, 32);
    const double alone = cycles_of(time_four_chains, 32);
    const double crowded = cycles_of(time_four_chains, 1024);

    lockstep::report("one chain, one warp", lockstep::measured{dependent},
                     "cycles a step");
    lockstep::report("4 chains, one warp", lockstep::measured{alone}, "cycles a step");
    lockstep::report("4 chains, 32 warps", lockstep::measured{crowded},
                     "cycles a step");
    const bool as_told = alone > 0 && dependent > 2 * alone && crowded > 4 * alone;
    return as_told ? EXIT_SUCCESS : EXIT_FAILURE;
}
