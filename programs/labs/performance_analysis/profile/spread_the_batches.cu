// This kernel adds up the vectors of many batches, each vector with its weight. One
// block does all the work, so one SM is busy and all others are idle: the kernel comes
// near neither the peak of the memory nor that of the FMA pipes. Spread the work over
// many blocks; the sums must stay the same.

#include <cmath>
#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 256;
constexpr int vectors = 32;  // of a batch

/// One block for all batches; the reference.
/// @param batches  number of batches
/// @param n        length of a vector
/// @param weight   batches x vectors floats in device memory
/// @param x        batches x vectors x n floats in device memory
/// @param sums     batches x n floats in device memory, written
__global__ void add_in_one_block(int batches, int n, const float* weight,
                                 const float* x, float* sums) {
    for (int batch = 0; batch < batches; ++batch)
        for (int i = threadIdx.x; i < n; i += block_size) {
            float sum = 0;
            for (int v = 0; v < vectors; ++v) {
                const int vector = batch * vectors + v;
                sum += weight[vector] * x[std::size_t(vector) * n + i];
            }
            sums[batch * n + i] = sum;
        }
}

// [task-kernel]
/// A block for each stretch of block_size elements of each batch.
/// @param n        length of a vector
/// @param weight   batches x vectors floats in device memory
/// @param x        batches x vectors x n floats in device memory
/// @param sums     batches x n floats in device memory, written
__global__ void add_vectors(int /*batches*/, int n, const float* weight, const float* x,
                            float* sums) {
    const int batch = blockIdx.y;
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int v = 0; v < vectors; ++v) {
        const int vector = batch * vectors + v;
        sum += weight[vector] * x[std::size_t(vector) * n + i];
    }
    sums[batch * n + i] = sum;
}
//= given
//| /// One block for all batches.
//| /// @param batches  number of batches
//| /// @param n        length of a vector
//| /// @param weight   batches x vectors floats in device memory
//| /// @param x        batches x vectors x n floats in device memory
//| /// @param sums     batches x n floats in device memory, written
//| __global__ void add_vectors(int batches, int n, const float* weight, const float* x,
//|                             float* sums) {
//|     for (int batch = 0; batch < batches; ++batch)
//|         for (int i = threadIdx.x; i < n; i += block_size) {
//|             float sum = 0;
//|             for (int v = 0; v < vectors; ++v) {
//|                 const int vector = batch * vectors + v;
//|                 sum += weight[vector] * x[std::size_t(vector) * n + i];
//|             }
//|             sums[batch * n + i] = sum;
//|         }
//| }
//= mutant weights_of_the_first_batch
//| __global__ void add_vectors(int, int n, const float* weight, const float* x,
//|                             float* sums) {
//|     const int batch = blockIdx.y;
//|     const int i = blockIdx.x * block_size + threadIdx.x;
//|     if (i >= n) return;
//|     float sum = 0;
//|     for (int v = 0; v < vectors; ++v)
//|         sum += weight[v] * x[std::size_t(batch * vectors + v) * n + i];
//|     sums[batch * n + i] = sum;
//| }
//= mutant no_guard
//| __global__ void add_vectors(int, int n, const float* weight, const float* x,
//|                             float* sums) {
//|     const int batch = blockIdx.y;
//|     const int i = blockIdx.x * block_size + threadIdx.x;
//|     float sum = 0;
//|     for (int v = 0; v < vectors; ++v) {
//|         const int vector = batch * vectors + v;
//|         sum += weight[vector] * x[std::size_t(vector) * n + i];
//|     }
//|     sums[batch * n + i] = sum;
//| }
// [/task-kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 4001, 1, 1 << 16);
    const int batches = options.integer("batches", 100, 1, 200);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    // whole numbers: the sums are exact in any order
    std::vector<float> weight(batches * vectors);
    std::vector<float> x(weight.size() * n);
    for (std::size_t i = 0; i < weight.size(); ++i)
        weight[i] = static_cast<float>(lockstep::random_word(i, 1) % 9);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(lockstep::random_word(i) % 100);
    const lockstep::device_buffer<float> d_weight(weight), d_x(x);
    lockstep::device_buffer<float> d_expected(std::size_t(batches) * n);
    lockstep::device_buffer<float> d_sums(std::size_t(batches) * n);
    d_sums.fill_bytes(0xFF);
    // [task-launch]
    const dim3 grid((n + block_size - 1) / block_size, batches);
    //= given
    //| const dim3 grid(1);
    //= mutant whole_blocks_only
    //| const dim3 grid(n / block_size, batches);
    // [/task-launch]
    const auto in_one_block = [&] {
        add_in_one_block<<<1, block_size>>>(batches, n, d_weight.data(), d_x.data(),
                                            d_expected.data());
    };
    const auto mine = [&] {
        add_vectors<<<grid, block_size>>>(batches, n, d_weight.data(), d_x.data(),
                                          d_sums.data());
    };
    in_one_block();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict;
    const std::vector<float> sums = d_sums.to_host(), expected = d_expected.to_host();
    bool all_written = true, each_batch = true;
    for (const float sum : sums) all_written = all_written && !std::isnan(sum);
    for (int batch = 0; batch < batches; ++batch)
        each_batch = each_batch && sums[batch * n] == expected[batch * n];
    verdict.holds("every sum is written", all_written,
                  "n is no multiple of the block size: round the number of blocks up");
    verdict.holds("first sum of each batch", each_batch,
                  "which vectors, and which weights, belong to batch blockIdx.y?");
    verdict.equal("all sums", sums, expected);
    if (untimed)
        verdict.holds("more than one block", grid.x * grid.y * grid.z > 1,
                      "one block runs on one SM, and all others are idle");
    if (!untimed) {
        const double before = lockstep::time_on_device(in_one_block).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over one block", before / now, 10,
                         "how many SMs have a block?");
    }
    return verdict.finish();
}
