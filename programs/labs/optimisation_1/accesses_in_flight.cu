// An increment must load before it can store, so each thread has one access in flight
// and then waits. How many threads does an SM need until the memory is saturated? Fewer
// are enough if each thread asks for more at once: wider words, or several independent
// words.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [kernel]
__device__ int plus_one(int x) { return x + 1; }
__device__ int2 plus_one(int2 x) { return {x.x + 1, x.y + 1}; }
__device__ int4 plus_one(int4 x) { return {x.x + 1, x.y + 1, x.z + 1, x.w + 1}; }

/// Adds one to each element; a thread has `together` words in flight at once.
/// @tparam Word      int, int2 or int4
/// @tparam together  independent words, a grid apart
/// @param n     number of words
/// @param data  n words in device memory, changed in place
template <class Word, int together>
__global__ void increment(std::size_t n, Word* data) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += together * step) {
        Word words[together];
        for (int k = 0; k < together; ++k)
            words[k] = i + k * step < n ? data[i + k * step] : Word{};
        for (int k = 0; k < together; ++k)
            if (i + k * step < n) data[i + k * step] = plus_one(words[k]);
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n =
        options.integer<std::size_t>("n", 64 << 20, 4, 1 << 29) / 4 * 4;
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::csv_file series(csv, "accesses,threads,~GB/s");
    lockstep::device_buffer<int> data(n);
    bool right = true;
    std::printf("%-16s%12s%12s%12s%12s\n", "threads per SM", "4 bytes", "8 bytes",
                "16 bytes", "four of 4");
    for (const int threads : {64, 128, 256, 512, 1024, 2048}) {
        const int block = threads < 128 ? threads : 128;
        const int blocks = sms * (threads / block);
        std::printf("%-16d", threads);
        const auto run = [&](const char* name, auto launch) {
            lockstep::check(cudaMemset(data.data(), 0, n * sizeof(int)));
            launch();
            lockstep::check(cudaGetLastError());
            right = right && lockstep::count_mismatches(data.to_host(),
                                                        std::vector<int>(n, 1)) == 0;
            const double rate =
                2 * n * sizeof(int) / lockstep::time_on_device(launch).median_ms * 1e-6;
            series.row("%s,%d,%.4g", name, threads, rate);
            char text[24];
            std::snprintf(text, sizeof text, "~%.0f", rate);
            std::printf("%12s", text);
        };
        run("4 bytes", [&] { increment<int, 1><<<blocks, block>>>(n, data.data()); });
        run("8 bytes", [&] {
            increment<int2, 1>
                <<<blocks, block>>>(n / 2, reinterpret_cast<int2*>(data.data()));
        });
        run("16 bytes", [&] {
            increment<int4, 1>
                <<<blocks, block>>>(n / 4, reinterpret_cast<int4*>(data.data()));
        });
        run("four of 4 bytes",
            [&] { increment<int, 4><<<blocks, block>>>(n, data.data()); });
        std::printf("\n");
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
