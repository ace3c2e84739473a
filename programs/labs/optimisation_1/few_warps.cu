// Each SM runs one block of 128 threads, and each thread adds to one sum, so every
// addition waits for the one before it. The grid must stay as it is. Let each thread
// keep several independent sums, so that additions need not wait, and add the sums up
// at the end. The number of steps is not a multiple of four, eight or any other
// convenient number.

#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Adds a product to a sum, again and again; the reference.
/// @param steps    how often
/// @param a        factor
/// @param factors  the other factor of each thread in device memory
/// @param sums     one float for each thread in device memory, written
__global__ void add_plainly(int steps, float a, const float* factors, float* sums) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const float b = factors[thread];
    float sum = 0;
    for (int step = 0; step < steps; ++step) sum = fmaf(a, b, sum);
    sums[thread] = sum;
}

/// Adds a * b to a sum, again and again.
/// @param steps    how often
/// @param a        factor
/// @param factors  b of each thread in device memory
/// @param sums     one float for each thread in device memory, written
__global__ void add(int steps, float a, const float* factors, float* sums) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const float b = factors[thread];
    // [task]
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int step = 0;
    for (; step + 4 <= steps; step += 4) {
        s0 = fmaf(a, b, s0);
        s1 = fmaf(a, b, s1);
        s2 = fmaf(a, b, s2);
        s3 = fmaf(a, b, s3);
    }
    for (; step < steps; ++step) s0 = fmaf(a, b, s0);
    const float sum = (s0 + s1) + (s2 + s3);
    //= given
    //| float sum = 0;
    //| for (int step = 0; step < steps; ++step) sum = fmaf(a, b, sum);
    //= mutant whole_fours_only
    //| float s[4] = {};
    //| for (int step = 0; step + 4 <= steps; step += 4)
    //|     for (float& one : s) one = fmaf(a, b, one);
    //| const float sum = (s[0] + s[1]) + (s[2] + s[3]);
    //= mutant one_sum_not_a_number
    //| float s[4] = {0, 0, 0, nanf("")};
    //| int step = 0;
    //| for (; step + 4 <= steps; step += 4)
    //|     for (float& one : s) one = fmaf(a, b, one);
    //| for (; step < steps; ++step) s[0] = fmaf(a, b, s[0]);
    //| const float sum = (s[0] + s[1]) + (s[2] + s[3]);
    //= mutant shared_by_four_lanes
    //| float sum = 0;
    //| for (int step = threadIdx.x % 4; step < steps; step += 4) sum = fmaf(a, b, sum);
    //| sum += __shfl_xor_sync(0xFFFFFFFF, sum, 1);
    //| sum += __shfl_xor_sync(0xFFFFFFFF, sum, 2);
    // [/task]
    sums[thread] = sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 100'003, 1, 1 << 20);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    constexpr int block_size = 128;
    lockstep::device_buffer<float> expected(sms * block_size);
    lockstep::device_buffer<float> sums(std::vector<float>(sms * block_size, -1));
    // Small whole numbers: every sum is exact, in any order.
    std::vector<float> b(sms * block_size);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 4 + 1);
    const lockstep::device_buffer<float> factors(b);
    const auto plainly = [&] {
        add_plainly<<<sms, block_size>>>(steps, 2, factors.data(), expected.data());
    };
    const auto mine = [&] {
        add<<<sms, block_size>>>(steps, 2, factors.data(), sums.data());
    };
    plainly();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("sums", sums.to_host(), expected.to_host(),
                  lockstep::in_groups(block_size, "block", "thread"));
    if (!untimed) {
        const double before = lockstep::time_on_device(plainly).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over one sum", before / now, 2,
                         "how many additions of a thread are independent?");
    }
    return verdict.finish();
}
