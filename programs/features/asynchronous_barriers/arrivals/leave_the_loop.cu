// Each thread halves its number until it is 1. After each step the threads that are not
// done synchronize at a barrier, so that all of them can read how many are left. A
// thread that is done returns at once in the program as given, and the others wait for
// it; their wait gives up after a while. Let the thread leave so that the others can go
// on.

#include <cstdint>
#include <vector>

#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

constexpr int block_size = 64;
constexpr int most_steps = 12;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/// Waits for a token, but not forever.
/// @return whether the phase completed in time
__device__ bool wait_a_while(block_barrier& barrier,
                             block_barrier::arrival_token token) {
    std::uint64_t* word = cuda::device::barrier_native_handle(barrier);
    for (int attempt = 0; attempt < 200; ++attempt)
        if (cuda::ptx::mbarrier_try_wait(word, token, 1000)) return true;
    return false;
}

/// Halves each number until it is 1.
/// @param numbers  one int for each thread in device memory
/// @param seen     for each thread and step the number of threads left, written
/// @param gave_up  one int in device memory: the threads whose wait did not end
__global__ void halve(const int* numbers, int* seen, int* gave_up) {
    __shared__ block_barrier barrier;
    __shared__ int left[most_steps];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, block_size);
    if (t < most_steps) left[t] = 0;
    __syncthreads();
    int number = numbers[t];
    for (int step = 0; step < most_steps; ++step) {
        if (number == 1) {
            // [task]
            barrier.arrive_and_drop();
            return;
            //= given
            //| // This thread is done; the others are not.
            //| return;
            //= mutant arrives_only_once
            //| static_cast<void>(barrier.arrive());
            //| return;
            //= mutant waits_and_leaves
            //| static_cast<void>(wait_a_while(barrier, barrier.arrive()));
            //| return;
            //= mutant stays_for_all_steps
            //| atomicAdd(&left[step], 1);
            // [/task]
        }
        if (number > 1) atomicAdd(&left[step], 1);
        if (!wait_a_while(barrier, barrier.arrive())) {
            atomicAdd(gave_up, 1);
            return;
        }
        seen[step * block_size + t] = left[step];
        if (number > 1) number /= 2;
    }
}

int main() {
    lockstep::require_device(90);

    std::vector<int> numbers(block_size), left(most_steps);
    std::vector<int> seen(most_steps * block_size, -1);
    const auto steps_of = [&](int t) {
        int steps = 0;
        for (int number = numbers[t]; number > 1; number /= 2) ++steps;
        return steps;
    };
    for (int t = 0; t < block_size; ++t) {
        numbers[t] = t == 0 ? 1 << most_steps : 1 + t * t % 1000;
        for (int step = 0; step < steps_of(t); ++step) ++left[step];
    }
    for (int t = 0; t < block_size; ++t)
        for (int step = 0; step < steps_of(t); ++step)
            seen[step * block_size + t] = left[step];
    const lockstep::device_buffer<int> d_numbers(numbers);
    lockstep::device_buffer<int> d_seen(seen.size()), d_gave_up(1);
    d_seen.fill_bytes(0xFF);
    d_gave_up.fill_bytes(0);
    halve<<<1, block_size>>>(d_numbers.data(), d_seen.data(), d_gave_up.data());
    lockstep::check(cudaGetLastError());

    lockstep::exercise_verdict verdict(-1);
    verdict.holds("every wait ended", d_gave_up.to_host()[0] == 0,
                  "a phase expected an arrival of a thread that had left");
    verdict.equal("threads left", d_seen.to_host(), seen,
                  lockstep::in_groups(block_size, "step", "thread"));
    return verdict.finish();
}
