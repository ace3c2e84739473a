// Why can a kernel refuse a block size that others accept? Registers are counted: what
// each thread needs, times the threads of the block, must fit into the register file of
// an SM. This kernel is compiled to use 128 registers, so half of the usual 1024
// threads fit and no more.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Keeps many values alive at once, so that the compiler spends all 128 registers it is
/// allowed.
/// @param in   one float per thread and 111 more in device memory
/// @param out  one float per thread in device memory, written
__global__ void __maxnreg__(128) need_registers(const float* in, float* out) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float values[112];
#pragma unroll
    for (int i = 0; i < 112; ++i) values[i] = in[thread + i];
#pragma unroll
    for (int round = 0; round < 4; ++round)
#pragma unroll
        for (int i = 0; i < 112; ++i)
            values[i] = values[i] * values[(i * 5 + round + 1) % 112] + 1;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 112; ++i) sum += values[i];
    out[thread] = sum;
}
// [/kernel]

int main() {
    lockstep::require_device();

    // [ask]
    cudaFuncAttributes needs{};
    lockstep::check(cudaFuncGetAttributes(&needs, need_registers));
    int registers = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&registers, cudaDevAttrMaxRegistersPerBlock, 0));
    lockstep::report("registers for a block", registers);
    lockstep::report("more than 64 per thread", needs.numRegs > 64);
    lockstep::report("threads in a block, at most", needs.maxThreadsPerBlock);
    // [/ask]

    lockstep::device_buffer<float> d_in(1024 + 111), d_out(1024);
    d_in.fill_bytes(0);
    // [launch]
    need_registers<<<1, 512>>>(d_in.data(), d_out.data());
    const cudaError_t narrow = cudaGetLastError();
    need_registers<<<1, 1024>>>(d_in.data(), d_out.data());
    const cudaError_t wide = cudaGetLastError();
    // [/launch]
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("512 threads", cudaGetErrorName(narrow));
    lockstep::report("1024 threads", cudaGetErrorName(wide));
    return narrow == cudaSuccess && wide != cudaSuccess &&
                   needs.maxThreadsPerBlock == 512
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
