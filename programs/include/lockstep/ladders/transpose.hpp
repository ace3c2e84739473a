#pragma once
/// @file
/// Verifies and times the rungs of the transpose ladder.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cublas_v2.h>

#include <lockstep/command_line.hpp>
#include <lockstep/comparison.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace lockstep {

/// Counts elements of a matrix that are not in their transposed place.
/// @param rows     rows of the matrix
/// @param columns  columns of the matrix
/// @param in       rows x columns words, row by row, in device memory
/// @param out      columns x rows words, row by row, in device memory
/// @param wrong    one number in device memory, increased
static __global__ void count_misplaced(int rows, int columns, const std::uint32_t* in,
                                       const std::uint32_t* out,
                                       unsigned long long* wrong) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i >= std::size_t(rows) * columns) return;
    if (out[i % columns * rows + i / columns] != in[i]) atomicAdd(wrong, 1ull);
}

/// Transposes matrices of awkward sizes, then a large one against cuBLAS and a copy,
/// and prints how it went.
///
/// @param argc       as main received it
/// @param argv       as main received it; `--n` sets rows and columns, `--csv` writes
///                   the result, `--once` does the large one once and times nothing,
///                   for a profiler; `--untimed` leaves out the comparison, for a
///                   sanitizer
/// @param rung       the rung's name
/// @param multiple   the sizes that it takes: multiples of this number
/// @param transpose  callable (int rows, int columns, const float* in, float* out) that
///                   enqueues the transpose of a matrix in device memory, row by row,
///                   both ends aligned to 256 bytes
/// @return exit status: success if every element of every transpose was right; 2 for a
///         size that it does not take
template <class Transpose>
int benchmark_transpose(int argc, char** argv, const char* rung, int multiple,
                        Transpose transpose) {
    command_line options(argc, argv);
    const int n = options.integer("n", 16'384, 1, 65'536);
    const char* csv = options.text("csv");
    const bool once = options.flag("once");
    const bool untimed = options.flag("untimed");
    options.finish();
    if (n % multiple != 0) {
        std::fprintf(stderr, "n must be a multiple of %d, not %d\n", multiple, n);
        return 2;
    }
    require_device();

    const std::size_t words = std::size_t(n) * n;
    device_buffer<std::uint32_t> in(words);
    device_buffer<std::uint32_t> out(words);
    device_buffer<unsigned long long> wrong(1);
    fill_random(in.data(), words);
    const auto* from = reinterpret_cast<const float*>(in.data());
    auto* to = reinterpret_cast<float*>(out.data());
    struct shape {
        int rows;
        int columns;
    };
    wrong.fill_bytes(0);
    for (const shape size :
         {shape{1, 1}, shape{33, 31}, shape{100, 1000}, shape{256, 128}, shape{n, n}}) {
        if (size.rows % multiple || size.columns % multiple || size.rows > n ||
            size.columns > n)
            continue;
        if (once && size.rows != n) continue;
        out.fill_bytes(0);
        transpose(size.rows, size.columns, from, to);
        check(cudaGetLastError());
        const std::size_t count = std::size_t(size.rows) * size.columns;
        count_misplaced<<<static_cast<unsigned>((count + 255) / 256), 256>>>(
            size.rows, size.columns, in.data(), out.data(), wrong.data());
        check(cudaGetLastError());
    }
    const unsigned long long misplaced = wrong.to_host()[0];
    report("rows and columns", n);
    report("wrong elements", misplaced);
    if (misplaced != 0) return EXIT_FAILURE;
    if (once || untimed) return EXIT_SUCCESS;

    cublasHandle_t cublas = nullptr;
    check(cublasCreate(&cublas));
    const float one = 1;
    const float zero = 0;
    const double bytes = 2.0 * words * sizeof(float);  // read and written
    comparison rates("GB/s", 1e9);
    rates.add(rung, bytes, [&] { transpose(n, n, from, to); });
    rates.add("cublasSgeam", bytes, [&] {
        check(cublasSgeam(cublas, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, from, n, &zero,
                          to, n, to, n));
    });
    rates.add("copy", bytes, [&] {
        check(
            cudaMemcpyAsync(to, from, words * sizeof(float), cudaMemcpyDeviceToDevice));
    });
    rates.run();
    rates.print();
    rates.write(
        csv, "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_cublas,~percent_of_copy");
    check(cublasDestroy(cublas));
    return EXIT_SUCCESS;
}

}  // namespace lockstep
