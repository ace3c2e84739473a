// Each SM runs one block of 128 threads, and each thread adds to one sum, so every
// addition waits for the one before it. The grid must stay as it is. Let each thread
// keep several independent sums, so that additions need not wait, and add the sums up
// at the end. The number of steps is not a multiple of four, eight or any other
// convenient number.

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Adds a product to a sum, again and again; the reference.
/// @param steps  how often
/// @param a      factor
/// @param b      factor
/// @param sums   one float for each thread in device memory, written
__global__ void add_plainly(int steps, float a, float b, float* sums) {
    float sum = 0;
    for (int step = 0; step < steps; ++step) sum = fmaf(a, b, sum);
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Adds a * b to a sum, again and again.
/// @param steps  how often
/// @param a      factor
/// @param b      factor
/// @param sums   one float for each thread in device memory, written
__global__ void add(int steps, float a, float b, float* sums) {
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
    // [/task]
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
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
    lockstep::device_buffer<float> sums(sms * block_size);
    sums.fill_bytes(0xFF);
    // Small whole numbers: every sum is exact, in any order.
    const auto plainly = [&] {
        add_plainly<<<sms, block_size>>>(steps, 2, 3, expected.data());
    };
    const auto mine = [&] { add<<<sms, block_size>>>(steps, 2, 3, sums.data()); };
    plainly();
    mine();
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict;
    verdict.equal("sums", sums.to_host(), expected.to_host());
    if (!untimed) {
        const double before = lockstep::time_on_device(plainly).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over one sum", before / now, 2,
                         "how many additions of a thread are independent?");
    }
    return verdict.finish();
}
