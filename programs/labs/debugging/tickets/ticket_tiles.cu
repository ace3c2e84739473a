// Bug report: "The moving average is right on my machine." It may be right by luck. The
// kernel reads outside of its arrays, and it has a race. Find all mistakes with
// compute-sanitizer and fix them; memcheck, racecheck and synccheck must report
// nothing.

#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr int width = 5;

/// Each element becomes the sum of itself and the four that follow.
/// @param n    number of results
/// @param in   n + width - 1 ints in device memory
/// @param out  n ints in device memory, written
__global__ void add_window(int n, const int* in, int* out) {
    __shared__ int words[block_size + width - 1];
    const int i = blockIdx.x * block_size + threadIdx.x;
    // [task]
    if (i < n + width - 1) words[threadIdx.x] = in[i];
    if (threadIdx.x < width - 1 && i + block_size < n + width - 1)
        words[block_size + threadIdx.x] = in[i + block_size];
    __syncthreads();
    //= given
    //| words[threadIdx.x] = in[i];
    //| if (threadIdx.x < width) words[block_size + threadIdx.x] = in[i + block_size];
    //= mutant still_a_race
    //| if (i < n + width - 1) words[threadIdx.x] = in[i];
    //| if (threadIdx.x < width - 1 && i + block_size < n + width - 1)
    //|     words[block_size + threadIdx.x] = in[i + block_size];
    //= mutant still_outside
    //| words[threadIdx.x] = in[i];
    //| if (threadIdx.x < width - 1)
    //|     words[block_size + threadIdx.x] = in[i + block_size];
    //| __syncthreads();
    //= mutant last_words_not_loaded
    //| if (i < n + width - 1) words[threadIdx.x] = in[i];
    //| if (threadIdx.x < width - 1 && i + block_size < n)
    //|     words[block_size + threadIdx.x] = in[i + block_size];
    //| __syncthreads();
    //= mutant results_only
    //| if (i < n) words[threadIdx.x] = in[i];
    //| if (threadIdx.x < width - 1 && i + block_size < n + width - 1)
    //|     words[block_size + threadIdx.x] = in[i + block_size];
    //| __syncthreads();
    // [/task]
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k < width; ++k) sum += words[threadIdx.x + k];
    out[i] = sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 10'000, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    lockstep::exercise_verdict verdict(-1);
    const auto try_with = [&verdict](const char* label, int results) {
        std::vector<int> in(results + width - 1);
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = static_cast<int>(i * 7919 % 1009);
        std::vector<int> expected(results);
        for (int i = 0; i < results; ++i)
            for (int k = 0; k < width; ++k) expected[i] += in[i + k];
        const lockstep::device_buffer<int> d_in(in);
        lockstep::device_buffer<int> d_out(std::vector<int>(results, -1));
        add_window<<<(results + block_size - 1) / block_size, block_size>>>(
            results, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        verdict.equal(label, d_out.to_host(), expected,
                      lockstep::in_groups(block_size, "block", "thread"));
    };
    try_with("sums", n);
    // the last block's results need words beyond those of its 256 threads: four, two
    const int whole = (n + block_size - 1) / block_size * block_size;
    try_with("sums, last block full", whole);
    try_with("sums, last block 2 short", whole - 2);
    return verdict.finish();
}
