// May the memory of a barrier be used again? A barrier in shared memory is initialized
// and used for one phase. Then its life is ended, by the destructor of cuda::barrier or
// by __mbarrier_inval, and its 8 bytes hold data, before the next barrier begins in the
// same place. That one is in phase 0 again, whatever the phase of the old one was.

#include <cstdint>  // __mbarrier_t is a std::uint64_t
#include <cstdlib>
#include <new>
#include <vector>

#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>

#include <lockstep/await_phase.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;
constexpr int rounds = 5;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// [class]
/// Passes numbers to the left, in each round by another cuda::barrier in the same
/// place; between them, the place holds two ints, which all threads add.
/// @param data  one int for each thread in device memory, changed in place
__global__ void pass_by_new_objects(int* data) {
    __shared__ alignas(block_barrier) unsigned char memory[sizeof(block_barrier)];
    __shared__ int words[block_size];
    auto* barrier = reinterpret_cast<block_barrier*>(memory);
    auto* pair = reinterpret_cast<int*>(memory);
    const int t = threadIdx.x;
    int mine = data[blockIdx.x * block_size + t];
    for (int round = 0; round < rounds; ++round) {
        if (t == 0) new (memory) block_barrier(block_size);  // its life begins
        __syncthreads();
        words[t] = mine;
        static_cast<void>(barrier->arrive());
        // parity 0 in each round: no barrier lives longer than one phase
        lockstep::await_phase(cuda::device::barrier_native_handle(*barrier), 0);
        mine = words[(t + 1) % block_size];
        __syncthreads();  // no thread waits any longer
        if (t == 0) barrier->~block_barrier();  // and ends
        __syncthreads();
        if (t < 2) pair[t] = 10 * round + t;  // the same memory
        __syncthreads();
        mine += pair[0] + pair[1];
        __syncthreads();  // all have read the pair
    }
    data[blockIdx.x * block_size + t] = mine;
}
// [/class]

// [primitives]
/// The same with the primitives.
/// @param data  one int for each thread in device memory, changed in place
__global__ void pass_by_primitives_again(int* data) {
    __shared__ __mbarrier_t barrier;
    __shared__ int words[block_size];
    auto* pair = reinterpret_cast<int*>(&barrier);
    const int t = threadIdx.x;
    int mine = data[blockIdx.x * block_size + t];
    for (int round = 0; round < rounds; ++round) {
        if (t == 0) __mbarrier_init(&barrier, block_size);
        __syncthreads();
        words[t] = mine;
        static_cast<void>(__mbarrier_arrive(&barrier));
        lockstep::await_phase(&barrier, 0);
        mine = words[(t + 1) % block_size];
        __syncthreads();
        if (t == 0) __mbarrier_inval(&barrier);
        __syncthreads();
        if (t < 2) pair[t] = 10 * round + t;
        __syncthreads();
        mine += pair[0] + pair[1];
        __syncthreads();
    }
    data[blockIdx.x * block_size + t] = mine;
}
// [/primitives]

int main() {
    lockstep::require_device(90);

    constexpr int blocks = 32;
    std::vector<int> data(blocks * block_size), expected(data.size());
    int pairs = 0;
    for (int round = 0; round < rounds; ++round) pairs += 20 * round + 1;
    for (int i = 0; i < blocks * block_size; ++i) {
        data[i] = 5 * i;
        expected[i] =
            5 * (i / block_size * block_size + (i + rounds) % block_size) + pairs;
    }
    std::size_t wrong = 0;
    const auto run = [&](auto kernel, const char* name) {
        lockstep::device_buffer<int> d_data(data);
        kernel<<<blocks, block_size>>>(d_data.data());
        lockstep::check(cudaGetLastError());
        const std::size_t found =
            lockstep::count_mismatches(d_data.to_host(), expected);
        lockstep::report(name, found);
        wrong += found;
    };
    lockstep::report("size of cuda::barrier", sizeof(block_barrier), "bytes");
    lockstep::report("barriers in one place", rounds);
    run(pass_by_new_objects, "destructor, wrong numbers");
    run(pass_by_primitives_again, "primitives, wrong numbers");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
