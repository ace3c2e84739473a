// Bug report: "The sum is infinite." Each thread adds up 1 / d for its share of the
// divisors, and one divisor of a million is zero. Find the block, the thread and the
// step of its loop that divide by it: cuda-gdb stops there if you give it a condition.
// Enter the three numbers, and let the kernel skip a divisor that is zero.

#include <limits>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 40;
constexpr int block_size = 128;

/// The divisor of a term.
__host__ __device__ int divisor(int term) {
    return static_cast<int>(static_cast<long long>(term) * 7919 % 1'000'003) - 424'242;
}

// [task-answers]
constexpr int guilty_block = 20;
constexpr int guilty_thread = 77;
constexpr int guilty_step = 12;
//= given
//| constexpr int guilty_block = -1;
//| constexpr int guilty_thread = -1;
//| constexpr int guilty_step = -1;
//= mutant counted_from_one
//| constexpr int guilty_block = 21;
//| constexpr int guilty_thread = 78;
//| constexpr int guilty_step = 13;
// [/task-answers]

/// Adds up the reciprocals of the divisors.
/// @param terms  how many there are
/// @param sums   one float for each thread in device memory, written
__global__ void add_reciprocals(int terms, float* sums) {
    const int thread = blockIdx.x * block_size + threadIdx.x;
    float sum = 0;
    for (int step = 0; thread + step * blocks * block_size < terms; ++step) {
        const int d = divisor(thread + step * blocks * block_size);
        // [task]
        if (d != 0) sum += 1.0F / d;
        //= given
        //| sum += 1.0F / d;
        //= mutant all_small_ones
        //| if (abs(d) > 1000) sum += 1.0F / d;
        // [/task]
    }
    sums[thread] = sum;
}

int main() {
    lockstep::require_device();

    constexpr int terms = 1'000'003;
    constexpr int threads = blocks * block_size;
    std::vector<double> expected(threads);
    int guilty = 0;
    for (int term = 0; term < terms; ++term) {
        const int d = divisor(term);
        if (d != 0) expected[term % threads] += 1.0 / d;
        if (d == 0) guilty = term;
    }
    lockstep::device_buffer<float> d_sums(threads);
    d_sums.fill_bytes(0xFF);
    add_reciprocals<<<blocks, block_size>>>(terms, d_sums.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> sums = d_sums.to_host();

    lockstep::exercise_verdict verdict(std::numeric_limits<double>::quiet_NaN());
    const int thread = guilty % threads;
    verdict.holds("block, thread and step",
                  guilty_block == thread / block_size &&
                      guilty_thread == thread % block_size &&
                      guilty_step == guilty / threads,
                  "all three count from 0; break where d is 0, and ask for blockIdx, "
                  "threadIdx and step");
    verdict.equal("sums", std::vector<double>(sums.begin(), sums.end()), expected, 1e-5,
                  lockstep::numbered("sum"));
    return verdict.finish();
}
