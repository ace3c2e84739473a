// Does the speed of a matrix product depend on its data? Yes, very much. The likely
// cause: transistors that do not switch take less power, and a GPU at its power limit
// lowers its clock. So products of zeros look faster than real ones.

#include <cstdlib>

#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <lockstep/command_line.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Fills an array with numbers between -1 and 1, or with zeros.
/// @param n       number of elements
/// @param x       n numbers in device memory
/// @param zeros   whether to write zeros
/// @param seed    of the random numbers
__global__ void fill(std::size_t n, __nv_bfloat16* x, bool zeros, int seed) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n)
        x[i] =
            __float2bfloat16(zeros ? 0 : lockstep::random_word(i, seed) * 0x1p-31F - 1);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 8192, 64, 16384);
    options.finish();
    lockstep::require_device(80);

    cublasHandle_t cublas = nullptr;
    lockstep::check(cublasCreate(&cublas));
    const std::size_t elements = std::size_t(n) * n;
    lockstep::device_buffer<__nv_bfloat16> a(elements);
    lockstep::device_buffer<__nv_bfloat16> b(elements);
    lockstep::device_buffer<__nv_bfloat16> c(elements);
    double product[2] = {};
    double copy[2] = {};
    for (const bool zeros : {false, true}) {
        fill<<<static_cast<unsigned>((elements + 255) / 256), 256>>>(elements, a.data(),
                                                                     zeros, 1);
        fill<<<static_cast<unsigned>((elements + 255) / 256), 256>>>(elements, b.data(),
                                                                     zeros, 2);
        lockstep::check(cudaGetLastError());
        const float one = 1;
        const float zero = 0;
        // [work]
        const auto multiply = [&] {
            lockstep::check(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n,
                                         &one, a.data(), CUDA_R_16BF, n, b.data(),
                                         CUDA_R_16BF, n, &zero, c.data(), CUDA_R_16BF,
                                         n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        };
        const auto move = [&] {
            lockstep::check(cudaMemcpyAsync(c.data(), a.data(),
                                            elements * sizeof(__nv_bfloat16),
                                            cudaMemcpyDeviceToDevice));
        };
        // About a second of products, since the power limit takes a while to lower the
        // clock.
        const double multiply_ms = lockstep::time_on_device(multiply, 700).median_ms;
        const double move_ms = lockstep::time_on_device(move).median_ms;
        // [/work]
        product[zeros] = 2.0 * n * elements / (multiply_ms * 1e9);
        copy[zeros] = 2.0 * elements * sizeof(__nv_bfloat16) / (move_ms * 1e6);
    }
    using lockstep::measured;
    lockstep::report("product, random numbers", measured{product[0]}, "TFLOP/s");
    lockstep::report("product, zeros", measured{product[1]}, "TFLOP/s");
    lockstep::report("copy, random numbers", measured{copy[0]}, "GB/s");
    lockstep::report("copy, zeros", measured{copy[1]}, "GB/s");
    lockstep::check(cublasDestroy(cublas));
    return product[0] > 0 && product[1] > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
