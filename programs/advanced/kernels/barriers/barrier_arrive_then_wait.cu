// An asynchronous barrier has two operations: arrive announces that a thread's stores
// are done, wait blocks until all threads have arrived. Independent work fits between
// the two. The result is that of __syncthreads.

#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda/barrier>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// init() in the kernel initializes the barrier, so its constructor need not run
#pragma nv_diag_suppress static_var_with_dynamic_init

constexpr int block_size = 256;

/// Work that needs no other thread: a single multiply-add. Unsigned, since it
/// overflows.
__device__ unsigned own_work(unsigned x) { return x * 1664525 + 1013904223; }

// [plain]
/// Each thread passes its number to the left, `steps` times, with __syncthreads.
/// @param steps  number of steps
/// @param data   one int for each thread in device memory, changed in place
__global__ void hand_on(int steps, int* data) {
    __shared__ int words[2][block_size];
    const int t = threadIdx.x;
    int mine = data[blockIdx.x * block_size + t];
    unsigned work = t;
    for (int step = 0; step < steps; ++step) {
        words[step % 2][t] = mine;
        __syncthreads();
        work = own_work(work);
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine + static_cast<int>(work & 1);
}
// [/plain]

// [split]
/// The same with arrive and wait.
/// @param steps  number of steps
/// @param data   one int for each thread in device memory, changed in place
__global__ void hand_on_split(int steps, int* data) {
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier all;
    __shared__ int words[2][block_size];
    const int t = threadIdx.x;
    if (t == 0) init(&all, block_size);  // expects so many arrivals in each phase
    __syncthreads();
    int mine = data[blockIdx.x * block_size + t];
    unsigned work = t;
    for (int step = 0; step < steps; ++step) {
        words[step % 2][t] = mine;
        barrier::arrival_token token = all.arrive();
        work = own_work(work);       // other threads may still be storing
        all.wait(std::move(token));  // what they stored before arriving is visible
        mine = words[step % 2][(t + 1) % block_size];
    }
    data[blockIdx.x * block_size + t] = mine + static_cast<int>(work & 1);
}
// [/split]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int steps = options.integer("steps", 1000, 1, 100'000);
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 2 * sms;
    std::vector<int> data(blocks * block_size);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i) * 2;
    lockstep::device_buffer<int> one(data);
    lockstep::device_buffer<int> other(data);
    hand_on<<<blocks, block_size>>>(steps, one.data());
    hand_on_split<<<blocks, block_size>>>(steps, other.data());
    lockstep::check(cudaGetLastError());
    const std::size_t different =
        lockstep::count_mismatches(other.to_host(), one.to_host());
    const int first = one.to_host()[0] & ~1;
    const auto us = [&](auto kernel) {
        return 1e3 * lockstep::time_on_device([&] {
                         kernel<<<blocks, block_size>>>(steps, other.data());
                     }).median_ms;
    };
    lockstep::report("elements that differ", different);
    lockstep::report("__syncthreads", lockstep::measured{us(hand_on)}, "us");
    lockstep::report("arrive and wait", lockstep::measured{us(hand_on_split)}, "us");
    return different == 0 && first == steps % block_size * 2 ? EXIT_SUCCESS
                                                             : EXIT_FAILURE;
}
