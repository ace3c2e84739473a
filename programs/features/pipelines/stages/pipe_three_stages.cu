// What do commit and wait of a pipeline count? Four blocks of data go to shared memory
// in three stages: one, two and one. Each wait then makes one more stage readable: with
// cuda::pipeline, with its friend pipeline_consumer_wait_prior, and with primitives.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline.h>
#include <cuda/pipeline>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 128;
constexpr int parts = 4;  // blocks of data, of block_size ints each

// [oldest]
/// A pipeline of the calling thread: each wait takes the oldest stage.
/// @param in   parts * block_size ints in device memory
/// @param out  3 * block_size ints in device memory, written: what each stage brought
__global__ void by_oldest_stage(const int* in, int* out) {
    __shared__ int words[parts][block_size];
    const int i = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto fetch = [&](int part) {  // one word for each thread
        cuda::memcpy_async(&words[part][i], &in[part * block_size + i], sizeof(int),
                           pipe);
    };
    pipe.producer_acquire();  // first stage: one copy
    fetch(0);
    pipe.producer_commit();
    pipe.producer_acquire();  // second stage: two copies
    fetch(1);
    fetch(2);
    pipe.producer_commit();
    pipe.producer_acquire();  // third stage: one copy
    fetch(3);
    pipe.producer_commit();

    pipe.consumer_wait();  // the oldest stage, which is the first
    out[i] = words[0][i];
    pipe.consumer_release();
    pipe.consumer_wait();
    out[block_size + i] = words[1][i] + words[2][i];
    pipe.consumer_release();
    pipe.consumer_wait();
    out[2 * block_size + i] = words[3][i];
    pipe.consumer_release();
}
// [/oldest]

/// The same, but the waits say how many of the newest stages may be incomplete.
/// @param in   parts * block_size ints in device memory
/// @param out  3 * block_size ints in device memory, written: what each stage brought
__global__ void by_newest_stages(const int* in, int* out) {
    __shared__ int words[parts][block_size];
    const int i = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    constexpr int stage_of[parts] = {0, 1, 1, 2};
    for (int part = 0; part < parts; ++part) {
        cuda::memcpy_async(&words[part][i], &in[part * block_size + i], sizeof(int),
                           pipe);
        if (part + 1 == parts || stage_of[part] != stage_of[part + 1])
            pipe.producer_commit();
    }
    // [newest]
    cuda::pipeline_consumer_wait_prior<2>(pipe);  // all stages but the last two
    out[i] = words[0][i];
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    out[block_size + i] = words[1][i] + words[2][i];
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[2 * block_size + i] = words[3][i];
    // [/newest]
}

// [primitives]
/// The same with primitives, functions in the style of C.
/// @param in   parts * block_size ints in device memory
/// @param out  3 * block_size ints in device memory, written: what each stage brought
__global__ void by_primitives(const int* in, int* out) {
    __shared__ int words[parts][block_size];
    const int i = threadIdx.x;
    const auto fetch = [&](int part) {
        __pipeline_memcpy_async(&words[part][i], &in[part * block_size + i],
                                sizeof(int));
    };
    fetch(0);
    __pipeline_commit();
    fetch(1);
    fetch(2);
    __pipeline_commit();
    fetch(3);
    __pipeline_commit();

    __pipeline_wait_prior(2);  // all commits but the last two
    out[i] = words[0][i];
    __pipeline_wait_prior(1);
    out[block_size + i] = words[1][i] + words[2][i];
    __pipeline_wait_prior(0);
    out[2 * block_size + i] = words[3][i];
}
// [/primitives]

int main() {
    lockstep::require_device(80);

    std::vector<int> in(parts * block_size), expected(3 * block_size);
    for (int i = 0; i < parts * block_size; ++i) in[i] = i * i % 1009;
    for (int i = 0; i < block_size; ++i) {
        expected[i] = in[i];
        expected[block_size + i] = in[block_size + i] + in[2 * block_size + i];
        expected[2 * block_size + i] = in[3 * block_size + i];
    }
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(3 * block_size);

    std::printf("words of each stage that are right, of %d\n", block_size);
    std::printf("%-32s%7s%8s%7s\n", "how the kernel waits", "first", "second", "third");
    bool right = true;
    const auto run = [&](const char* name, auto kernel) {
        d_out.fill_bytes(0xFF);
        kernel<<<1, block_size>>>(d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> out = d_out.to_host();
        int good[3] = {};
        for (int i = 0; i < 3 * block_size; ++i)
            good[i / block_size] += out[i] == expected[i];
        std::printf("%-32s%7d%8d%7d\n", name, good[0], good[1], good[2]);
        right = right && lockstep::count_mismatches(out, expected) == 0;
    };
    run("consumer_wait", by_oldest_stage);
    run("pipeline_consumer_wait_prior<N>", by_newest_stages);
    run("__pipeline_wait_prior(N)", by_primitives);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
