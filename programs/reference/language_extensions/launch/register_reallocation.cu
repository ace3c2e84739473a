// Can warps of a block have different numbers of registers? Yes, on a GPU of compute
// capability 9.0 with code for sm_90a: one warp group gives registers back to the pool
// of the block, and the other, which needs more, waits until it has got them. Compiled
// with -DUNMOVED, it does without, and the values do not fit.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int group = 128;  // threads of a warp group: four warps
constexpr int many = 120;

#ifdef UNMOVED
constexpr bool moves = false;
#else
constexpr bool moves = true;
#endif

// [kernel]
/// Starts with 96 registers for each thread. The first warp group keeps 40 of them; the
/// second gets 152, and holds 120 values at once, since each is multiplied by the sum
/// of all.
/// @param x    120 numbers for each thread of the second group in device memory
/// @param out  one number for each of the 256 threads in device memory
__global__ void __maxnreg__(96) reallocate(const unsigned* x, unsigned* out) {
    unsigned values[many], sum = 0, result = 0;
    if (threadIdx.x < group) {
        if (moves) asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // 56 go back
    } else {
        if (moves) asm volatile("setmaxnreg.inc.sync.aligned.u32 152;");  // 96 + 56
#pragma unroll
        for (int i = 0; i < many; ++i) {
            values[i] = x[i * group + threadIdx.x - group];
            sum += values[i];
        }
#pragma unroll
        for (int i = 0; i < many; ++i) result ^= values[i] * sum;
    }
    out[threadIdx.x] = result;
}
// [/kernel]

int main() {
    lockstep::require_device(90);
    std::vector<unsigned> x(many * group);
    for (int i = 0; i < many * group; ++i) x[i] = i % 13 + 1;
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_out(2 * group);
    d_out.fill_bytes(0xFF);
    reallocate<<<1, 2 * group>>>(d_x.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned> out = d_out.to_host();

    int wrong = 0;
    for (int thread = 0; thread < group; ++thread) {
        unsigned sum = 0, result = 0;
        for (int i = 0; i < many; ++i) sum += x[i * group + thread];
        for (int i = 0; i < many; ++i) result ^= x[i * group + thread] * sum;
        wrong += out[thread] != 0;
        wrong += out[group + thread] != result;
    }
    cudaFuncAttributes found{};
    lockstep::check(cudaFuncGetAttributes(&found, reallocate));
    lockstep::report("registers at the launch", found.numRegs);
    lockstep::report("local memory", found.localSizeBytes, "bytes");
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
