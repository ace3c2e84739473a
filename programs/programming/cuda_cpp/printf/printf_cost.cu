// What does printing from a kernel cost? Three kernels do the same work: one does not
// print, one has a printf that no thread reaches, and one prints a line for each block.
// The second costs registers and stack; the third costs time.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Which threads of a kernel print.
enum class printing {
    none,  ///< the kernel has no printf
    unreached,  ///< none, though the kernel has one
    every_block  ///< the first of each block
};

// [kernel]
/// y[i] = 2 y[i] + 1.
/// @tparam how  which threads print
/// @param n     number of elements
/// @param y     n floats in device memory
template <printing how>
__global__ void affine(int n, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * y[i] + 1;
    if (how == printing::unreached && y[i] < 0)  // y is never negative
        printf("printed: negative value in element %d\n", i);
    if (how == printing::every_block && threadIdx.x == 0)
        printf("printed: block %u\n", blockIdx.x);
}
// [/kernel]

/// Host time from before the launch until the kernel has ended and its text is printed.
/// @tparam how  which threads print
/// @param blocks  blocks of 256 threads
/// @param y       256 floats for each block
template <printing how>
double microseconds(int blocks, lockstep::device_buffer<float>& y) {
    const auto time = lockstep::time_on_host(
        [&] {
            affine<how><<<blocks, 256>>>(blocks * 256, y.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
        },
        5);
    return time.median_ms * 1e3;
}

/// Prints what the compiler gave a kernel.
/// @tparam how        which threads print
/// @param registers   label of the registers
/// @param stack       label of the stack
template <printing how>
void report_resources(const char* registers, const char* stack) {
    cudaFuncAttributes resources{};
    lockstep::check(cudaFuncGetAttributes(&resources, affine<how>));
    lockstep::report(registers, resources.numRegs);
    lockstep::report(stack, resources.localSizeBytes, "bytes");
}

int main() {
    lockstep::require_device();
    constexpr int blocks = 4096;
    lockstep::device_buffer<float> d_y(std::size_t(blocks) * 256);
    d_y.fill_bytes(0);

    const double silent = microseconds<printing::none>(blocks, d_y);
    const double unreached = microseconds<printing::unreached>(blocks, d_y);
    const double loud = microseconds<printing::every_block>(blocks, d_y);
    report_resources<printing::none>("registers, no printf", "stack, no printf");
    report_resources<printing::unreached>("registers, printf unreached",
                                          "stack, printf unreached");
    lockstep::report("time, no printf", lockstep::measured{silent}, "us");
    lockstep::report("time, printf unreached", lockstep::measured{unreached}, "us");
    lockstep::report("time, 4096 lines printed", lockstep::measured{loud}, "us");
    lockstep::report("time for one line", lockstep::measured{(loud - silent) / blocks},
                     "us");
    return loud > silent ? EXIT_SUCCESS : EXIT_FAILURE;
}
