// Can warps of a block have different numbers of registers? Yes, on a GPU of compute
// capability 9.0 with code for sm_90a: one warp group gives registers back to the pool
// of the block, and the other, which needs more, waits until it has got them.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int group = 128;  // threads of a warp group: four warps
constexpr int many = 120;

// [kernel]
/// Starts with 96 registers for each thread. The first warp group keeps 40 of them; the
/// second gets 152, and holds 120 values at once.
/// @param x    120 floats for each thread of the second group in device memory
/// @param out  one float for each of the 256 threads in device memory
__global__ void __maxnreg__(96) reallocate(const float* x, float* out) {
    if (threadIdx.x < group) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");  // 96 - 40 go back
        out[threadIdx.x] = 1;
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 152;");  // 96 + 56
        float values[many], sum = 0;
#pragma unroll
        for (int i = 0; i < many; ++i) values[i] = x[i * group + threadIdx.x - group];
#pragma unroll
        for (int i = 0; i < many; ++i) sum += values[i] * values[(i * 7 + 1) % many];
        out[threadIdx.x] = sum;
    }
}
// [/kernel]

int main() {
    lockstep::require_device(90);
    std::vector<float> x(many * group);
    for (int i = 0; i < many * group; ++i) x[i] = static_cast<float>(i % 13);
    const lockstep::device_buffer<float> d_x(x);
    lockstep::device_buffer<float> d_out(2 * group);
    d_out.fill_bytes(0xFF);
    reallocate<<<1, 2 * group>>>(d_x.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();

    int wrong = 0;
    for (int thread = 0; thread < group; ++thread) {
        float sum = 0;  // of whole numbers, and so exact
        for (int i = 0; i < many; ++i)
            sum += x[i * group + thread] * x[(i * 7 + 1) % many * group + thread];
        wrong += out[thread] != 1;
        wrong += out[group + thread] != sum;
    }
    cudaFuncAttributes found{};
    lockstep::check(cudaFuncGetAttributes(&found, reallocate));
    lockstep::report("registers at the launch", found.numRegs);
    lockstep::report("local memory", found.localSizeBytes, "bytes");
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
