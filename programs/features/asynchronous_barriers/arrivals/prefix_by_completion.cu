// How does a block run a function once in each phase? As the completion function of the
// barrier: it runs after the last arrival, and before any thread is released. Here it
// adds up the block's numbers. Compared: thread 0 does so between two __syncthreads().

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <cuda/barrier>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 128;

// [completion]
/// Running total of the numbers, one block_size of them in each phase.
/// @param phases  number of phases
/// @param x       phases * block_size unsigneds in device memory
/// @param totals  for each thread and phase the total that it saw, in device memory,
///                written
/// @param bytes   size of the barrier, written
__global__ void total_by_completion(int phases, const unsigned* x, unsigned* totals,
                                    int* bytes) {
    __shared__ unsigned words[block_size];
    __shared__ unsigned total;
    unsigned* into = &total;
    auto add_up = [into] {  // by value: the thread that arrives last runs it
        unsigned sum = 0;
        for (const unsigned word : words) sum += word;
        *into += sum;
    };
    // cuda::barrier<scope, CompletionFunction>
    using summing_barrier = cuda::barrier<cuda::thread_scope_block, decltype(add_up)>;
    // raw memory, since the class has no default constructor
    __shared__ alignas(summing_barrier) unsigned char memory[sizeof(summing_barrier)];
    auto* barrier = reinterpret_cast<summing_barrier*>(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        total = 0;
        new (barrier) summing_barrier(block_size, add_up);  // or init() with add_up
        *bytes = sizeof(summing_barrier);
    }
    __syncthreads();
    for (int phase = 0; phase < phases; ++phase) {
        words[t] = x[phase * block_size + t];
        barrier->arrive_and_wait();
        totals[phase * block_size + t] = total;
    }
}
// [/completion]

// [thread-zero]
/// The same with two barriers in each phase; thread 0 adds up between them.
/// @param phases  number of phases
/// @param x       phases * block_size unsigneds in device memory
/// @param totals  for each thread and phase the total that it saw, in device memory,
///                written
__global__ void total_by_thread_zero(int phases, const unsigned* x, unsigned* totals) {
    __shared__ unsigned words[block_size];
    __shared__ unsigned total;
    const int t = threadIdx.x;
    if (t == 0) total = 0;
    for (int phase = 0; phase < phases; ++phase) {
        words[t] = x[phase * block_size + t];
        __syncthreads();
        if (t == 0) {
            unsigned sum = 0;
            for (const unsigned word : words) sum += word;
            total += sum;
        }
        __syncthreads();
        totals[phase * block_size + t] = total;
    }
}
// [/thread-zero]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int phases = options.integer("phases", 1000, 1, 20'000);
    options.finish();
    lockstep::require_device();

    std::vector<unsigned> x(std::size_t(phases) * block_size), expected(x.size());
    unsigned total = 0;
    for (int phase = 0; phase < phases; ++phase) {
        for (int t = 0; t < block_size; ++t)
            total += x[phase * block_size + t] =
                static_cast<unsigned>(phase * 31 + t) % 101;
        for (int t = 0; t < block_size; ++t) expected[phase * block_size + t] = total;
    }
    const lockstep::device_buffer<unsigned> d_x(x);
    lockstep::device_buffer<unsigned> d_totals(x.size());
    lockstep::device_buffer<int> d_bytes(1);
    const auto launch = [&](std::size_t kernel) {
        if (kernel == 0)
            total_by_completion<<<1, block_size>>>(phases, d_x.data(), d_totals.data(),
                                                   d_bytes.data());
        else
            total_by_thread_zero<<<1, block_size>>>(phases, d_x.data(),
                                                    d_totals.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (const std::size_t kernel : {0, 1}) {
        d_totals.fill_bytes(0xFF);
        launch(kernel);
        wrong += lockstep::count_mismatches(d_totals.to_host(), expected);
    }
    const auto times = lockstep::time_in_turns(2, launch);
    lockstep::report("wrong totals", wrong);
    lockstep::report("size of the barrier", d_bytes.to_host()[0], "bytes");
    lockstep::report("size, aligned_storage<8, 8>", sizeof(std::aligned_storage<8, 8>),
                     "byte");
    lockstep::report("size of its ::type", sizeof(std::aligned_storage<8, 8>::type),
                     "bytes");
    lockstep::report("completion function",
                     lockstep::measured{1e6 * times[0].median_ms / phases},
                     "ns a phase");
    lockstep::report("thread 0, two barriers",
                     lockstep::measured{1e6 * times[1].median_ms / phases},
                     "ns a phase");
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
