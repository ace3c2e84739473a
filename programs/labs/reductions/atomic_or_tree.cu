// A sum with one atomic operation for each element, or with one for each block after a
// tree reduction in shared memory. How much is the tree worth, and from how many
// elements on? The compiler helps the first: it adds up each warp before the atomic
// operation, unless it cannot know that all lanes have the same target.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;

// [atomic]
/// One atomic operation for each element.
/// @param n    number of elements
/// @param x    n words in device memory
/// @param sum  one word in device memory, increased
__global__ void add_atomically(int n, const std::uint32_t* x, std::uint32_t* sum) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i] & 1023);
}
// [/atomic]

// [uncombined]
/// The same, in a form in which the compiler does not add up the warp first: it cannot
/// know that all lanes have the same target.
/// @param n         number of elements
/// @param x         n words in device memory
/// @param sum       one word in device memory, increased
/// @param distance  words from the target of a lane to that of the next: 0
__global__ void add_uncombined(int n, const std::uint32_t* x, std::uint32_t* sum,
                               int distance) {
    const int i = blockIdx.x * block_size + threadIdx.x;
    if (i < n) atomicAdd(sum + i * distance, x[i] & 1023);
}
// [/uncombined]

// [trees]
/// A tree in each block, then one atomic operation.
/// @param n    number of elements
/// @param x    n words in device memory
/// @param sum  one word in device memory, increased
__global__ void add_by_trees(int n, const std::uint32_t* x, std::uint32_t* sum) {
    __shared__ std::uint32_t parts[block_size];
    std::uint32_t mine = 0;
    for (int i = blockIdx.x * block_size + threadIdx.x; i < n;
         i += gridDim.x * block_size)
        mine += x[i] & 1023;
    parts[threadIdx.x] = mine;
    for (int width = block_size / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    }
    if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}
// [/trees]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int one = options.integer("n", 0, 0, 1 << 28);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::csv_file series(csv, "how,elements,~us");
    bool right = true;
    std::printf("%10s%16s%18s%16s%14s\n", "", "atomic for", "atomic for",
                "tree, atomic", "warp / block");
    std::printf("%10s%16s%18s%16s%14s\n", "elements", "each element", "each warp",
                "for each block", "");
    for (const int n : one ? std::vector<int>{one}
                           : std::vector<int>{100'000, 1 << 20, 1 << 23, 1 << 25}) {
        lockstep::device_buffer<std::uint32_t> x(n);
        lockstep::fill_random(x.data(), n);
        std::uint32_t expected = 0;
        for (const std::uint32_t word : x.to_host()) expected += word & 1023;
        lockstep::device_buffer<std::uint32_t> sum(1);
        const int blocks = (n + block_size - 1) / block_size;
        const int few = std::min(blocks, sms * 8);
        const auto time = [&](const char* name, auto launch) {
            sum.fill_bytes(0);
            launch();
            lockstep::check(cudaGetLastError());
            right = right && sum.to_host()[0] == expected;
            const double us = 1e3 * lockstep::time_back_to_back(launch).median_ms;
            series.row("\"%s\",%d,%.4g", name, n, us);
            return us;
        };
        const double each = time("each element", [&] {
            add_uncombined<<<blocks, block_size>>>(n, x.data(), sum.data(), 0);
        });
        const double warps = time("each warp", [&] {
            add_atomically<<<blocks, block_size>>>(n, x.data(), sum.data());
        });
        const double trees = time("each block", [&] {
            add_by_trees<<<few, block_size>>>(n, x.data(), sum.data());
        });
        char texts[4][24];
        std::snprintf(texts[0], sizeof texts[0], "~%.1f us", each);
        std::snprintf(texts[1], sizeof texts[1], "~%.1f us", warps);
        std::snprintf(texts[2], sizeof texts[2], "~%.1f us", trees);
        std::snprintf(texts[3], sizeof texts[3], "~%.3g", warps / trees);
        std::printf("%10d%16s%18s%16s%14s\n", n, texts[0], texts[1], texts[2],
                    texts[3]);
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
