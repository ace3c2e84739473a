// How large must a prefetch be? An array that the CPU wrote moves to the GPU in pieces,
// one call for each. Small pieces cost as much for each call as large ones, so the rate
// grows with the size of a piece until the link is the limit.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Adds one to every element.
/// @param n      number of elements
/// @param words  n ints, changed in place
__global__ void add_one(int n, int* words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) words[i] += 1;
}

/// Prefetches an array to the GPU, and waits until it is there.
/// @param words   the array, in managed memory
/// @param bytes   its size
/// @param piece   bytes of one prefetch, which divide its size
/// @param stream  where to
/// @return the time on the host's clock, in milliseconds
double prefetch_ms(char* words, std::size_t bytes, std::size_t piece,
                   cudaStream_t stream) {
    const auto begin = std::chrono::steady_clock::now();
    // [pieces]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    for (std::size_t at = 0; at < bytes; at += piece)
        lockstep::check(cudaMemPrefetchAsync(words + at, piece, gpu, 0, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/pieces]
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = 1 << options.integer("log-mib", 5, 0, 8);
    const int rounds = options.integer("rounds", 7, 1, 50);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = std::size_t(mib) << 20;
    const int n = static_cast<int>(bytes / sizeof(int));
    const lockstep::owned_stream stream;
    lockstep::csv_file series(csv, "piece_kib,~gb_per_s");
    bool right = true;
    double smallest = 0, whole = 0;  // GB/s
    for (std::size_t piece = 16 * 1024; piece <= bytes; piece *= 2) {
        std::vector<double> ms;
        for (int round = -1; round < rounds; ++round) {
            int* words = nullptr;
            lockstep::check(cudaMallocManaged(&words, bytes));
            for (int i = 0; i < n; ++i) words[i] = i;
            const double taken =
                prefetch_ms(reinterpret_cast<char*>(words), bytes, piece, stream);
            if (round >= 0) ms.push_back(taken);
            add_one<<<(n + 255) / 256, 256, 0, stream>>>(n, words);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(stream));
            if (round == rounds - 1)
                for (int i = 0; i < n; ++i) right = right && words[i] == i + 1;
            lockstep::check(cudaFree(words));
        }
        const double rate = bytes / (lockstep::summarize(ms).median_ms * 1e6);
        series.row("%zu,%.4g", piece / 1024, rate);
        if (smallest == 0) smallest = rate;
        whole = rate;
    }
    series.finish();
    lockstep::report("array", mib, "MiB");
    lockstep::report("pieces of 16 KiB", lockstep::measured{smallest}, "GB/s");
    lockstep::report("in one piece", lockstep::measured{whole}, "GB/s");
    lockstep::report("values right", right);
    const bool grows = untimed || whole > 2 * smallest;
    return right && grows ? EXIT_SUCCESS : EXIT_FAILURE;
}
