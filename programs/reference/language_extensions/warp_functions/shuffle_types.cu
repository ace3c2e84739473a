// Which types do the shuffles take? Each lane receives the value of the next lane, in
// every type, and the number of lanes with the right value is counted. A structure is
// no such type: it travels as words of 4 or 8 bytes.

#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [next]
/// Receives the value of the next lane; returns whether it is the expected one.
/// @param mine   what this lane sends
/// @param other  what the next lane sends
template <class T>
__device__ bool next_lane(T mine, T other) {
    const T found =
        __shfl_sync(0xffffffff, mine, threadIdx.x + 1);  // lane 31 reads lane 0
    return found == other;
}
// [/next]

/// One warp.
/// @param right  7 counts in device memory, at 0
__global__ void shuffle_all(int* right) {
    const int lane = threadIdx.x, next = (lane + 1) % 32;
    const auto count = [&](int i, bool is_right) { atomicAdd(&right[i], is_right); };
    count(0, next_lane(-lane, -next));
    count(0, next_lane(unsigned(lane), unsigned(next)));
    count(1, next_lane(-long(lane), -long(next)));
    count(1, next_lane(1ul << lane, 1ul << next));
    count(1, next_lane(1ll << (lane + 32), 1ll << (next + 32)));
    count(1, next_lane(1ull << (lane + 32), 1ull << (next + 32)));
    count(2, next_lane(0.5f * lane, 0.5f * next));
    count(3, next_lane(0.5 * lane, 0.5 * next));
    count(4, next_lane(__int2half_rn(lane), __int2half_rn(next)));
    const __half2 mine = __floats2half2_rn(lane, -lane),
                  theirs = __floats2half2_rn(next, -next);
    const __half2 got = __shfl_sync(0xffffffff, mine, lane + 1);
    count(5, __low2float(got) == __low2float(theirs) && __high2float(got) == -next);
    count(6, next_lane(__float2bfloat16(lane), __float2bfloat16(next)));
}

int main() {
    lockstep::require_device(80);

    lockstep::device_buffer<int> d_right(7);
    d_right.fill_bytes(0);
    shuffle_all<<<1, 32>>>(d_right.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> right = d_right.to_host();
    constexpr const char* names[] = {"32-bit integers, 2 types",
                                     "64-bit integers, 4 types",
                                     "float",
                                     "double",
                                     "half",
                                     "half2",
                                     "bfloat16"};
    constexpr int expected[] = {64, 128, 32, 32, 32, 32, 32};
    bool all_right = true;
    for (int i = 0; i < 7; ++i) {
        lockstep::report(names[i], right[i], "right lanes");
        all_right = all_right && right[i] == expected[i];
    }
    return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
